/** Short forms for comparing response members with the oracle's. */
import assert from 'node:assert/strict';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { askPort, withServer } from './http.js';
import type { Answer, Ask } from './http.js';
import { comparable, expected, frameworks, same } from './oracle.js';
import type { Comparison, Web } from './oracle.js';

type Build = (web: Web) => ReturnType<Web>;

/** Returns an application that responds to everything with one handler. */
export function answering(handler: RequestHandler, settings: Record<string, unknown> = {}): Build {
  return web => {
    const app = web();
    app.set('env', 'test');
    for (const [name, value] of Object.entries(settings)) app.set(name, value);
    app.use(handler);
    // The response includes the class and the text of what was thrown.

    app.use(((err, _req, res, _next) => {
      for (const name of res.getHeaderNames()) res.removeHeader(name);
      res.statusCode = 500;
      res.end(`${err.constructor.name}: ${err.message} ${JSON.stringify(err.types)} ${String(err.status)}`);
    }) as ErrorRequestHandler);
    return app;
  };
}

/** Returns an application that asserts that a member returns the response, for chaining. */
export function returning(use: (res: Response) => unknown): Build {
  return answering((_req, res) => {
    assert.equal(use(res), res);
    res.end();
  });
}

/** The response, typed so that members accept anything: for forms that the types do not declare. */
export function loose(res: Response): Record<string, (...args: unknown[]) => Response> {
  return res as never;
}

/** Sends each request to one server of each framework and asserts equal responses. */
export function sameEach(build: Build, requests: readonly (Ask | string)[]): Comparison<Answer[]> {
  return compareEach(build, requests) as Comparison<Answer[]>;
}

async function compareEach(build: Build, requests: readonly (Ask | string)[]): Promise<Answer[]> {
  const all = (web: Web) =>
    withServer(build(web), async port => {
      const answers: Answer[] = [];
      for (const request of requests) answers.push(await askPort(port, request));
      return answers;
    });
  const ours = await all(frameworks.ristretto);
  const theirs = await all(frameworks.express);
  requests.forEach((request, at) => {
    assert.deepEqual(comparable(ours[at]!), expected(theirs[at]!), JSON.stringify(request));
  });
  return ours;
}

/** Like `same`, and also asserts equal deprecation notices; resolves with them. */
export function sameNotices(build: Build, request: Ask | string = {}): Comparison<string[]> {
  return compareNotices(build, request) as Comparison<string[]>;
}

async function compareNotices(build: Build, request: Ask | string): Promise<string[]> {
  const notices: { namespace: string; message: string; where: string }[] = [];
  const listen = (notice: Error & { namespace: string }) => {
    const where = /[\w.]+\.test\.ts/.exec(notice.stack?.split('\n')[1] ?? '');
    notices.push({ namespace: notice.namespace, message: notice.message, where: where?.[0] ?? 'elsewhere' });
  };
  process.on('deprecation' as never, listen as never);
  try {
    await same(build, request);
  } finally {
    process.off('deprecation', listen as never);
  }
  const half = notices.length / 2;
  assert.deepEqual(notices.slice(0, half), notices.slice(half));
  for (const notice of notices) {
    assert.equal(notice.namespace, 'express');
    assert.notEqual(notice.where, 'elsewhere');
  }
  return notices.slice(0, half).map(notice => notice.message);
}
