/**
 * From `send` or `end` on a response is decided, also while something is waited for before it is sent: what is called then has
 * the effect that it has on Express, where nothing waits.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test } from 'node:test';
import compression from '@ristretto/compression';
import { addResponseHook } from '@ristretto/response-hooks';
import session from '@ristretto/session';
import express from 'express';
import express5 from 'express5';
import type { NextFunction, Request, Response } from 'express';
import web from 'ristretto';
import web5 from 'ristretto5';
import { ask } from '../../support/http.js';

type Web = typeof express;
type Middleware = (req: Request, res: Response, next: NextFunction) => void;
type Act = (res: Response, next: NextFunction) => void;

/** What may wait before a response is sent; `web.validate` is added where the framework has it. */
const WAITS: Record<string, () => Middleware> = {
  'a store of sessions': () => {
    const store = new session.MemoryStore();
    const { set } = store;
    store.set = (id, data, callback) => void sleep(5).then(() => set.call(store, id, data, callback));
    const middleware = session({ secret: 's', resave: true, saveUninitialized: true, store });
    return middleware as unknown as Middleware;
  },
  'compression of a large body': () => compression() as unknown as Middleware,
  'a hook of another package': () => (_req, res, next) => {
    addResponseHook(res, { whole: () => sleep(5).then(() => undefined) });
    next();
  },
  'res.onSend': () => (_req, res, next) => {
    (res as unknown as { onSend(hook: () => unknown): void }).onSend(() => sleep(5));
    next();
  },
  'a response schema': () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => sleep(5).then(() => ({ value })),
      },
    };
    return (web as unknown as { validate(parts: object): Middleware }).validate({
      response: { default: schema },
    });
  },
};

const ACTS: Record<string, Act> = {
  setHeader: res => void res.setHeader('X-Late', '1'),
  'setHeader to another type': res => void res.setHeader('Content-Type', 'text/plain'),
  appendHeader: res => void res.appendHeader('X-Late', '1'),
  removeHeader: res => void res.removeHeader('Content-Type'),
  setHeaders: res => {
    // Only newer Node has it
    if (typeof res.setHeaders === 'function') res.setHeaders(new Map([['X-Late', '1']]));
    else throw Object.assign(new Error(), { code: 'ERR_HTTP_HEADERS_SENT' });
  },
  writeHead: res => void res.writeHead(403),
  flushHeaders: res => void res.flushHeaders(),
  'res.cookie': res => void res.cookie('late', '1'),
  'res.set': res => void res.set('X-Late', '1'),
  'res.append': res => void res.append('X-Late', '1'),
  'res.type': res => void res.type('text'),
  statusCode: res => void (res.statusCode = 403),
  statusMessage: res => void (res.statusMessage = 'Late'),
  'res.status': res => void res.status(403),
  'res.json': res => void res.json({ late: true }),
  'res.send': res => void res.send('late'),
  'res.sendStatus': res => void res.sendStatus(403),
  'res.redirect': res => void res.redirect('/late'),
  'res.end': res => void res.end('late'),
  'res.write': res => void res.write('late'),
  next: (_res, next) => {
    next();
  },
  'next with an error': (_res, next) => {
    next(new Error('late'));
  },
  throw: () => {
    throw new Error('late');
  },
};

const BODY = { text: 'x'.repeat(100_000) };

/** How the response is sent; in chunks, it is only begun when the act is called. */
const SENDS: Record<string, (res: Response) => (() => void) | undefined> = {
  whole: res => void res.status(201).json(BODY),
  'in chunks': res => {
    res.status(201).type('html').write('a');
    return () => void res.end('b');
  },
};
/** Acts that do not end a response. */
const SETTERS = Object.keys(ACTS).filter(act => !/json|send|redirect|res\.end|write$|next|throw/i.test(act));

async function outcome(
  framework: Web,
  wait: Middleware | undefined,
  act: Act,
  isLater: boolean,
  send = SENDS.whole!,
): Promise<Record<string, unknown>> {
  const app = framework();
  app.set('env', 'test');
  app.disable('x-powered-by');
  app.disable('etag');
  if (wait !== undefined) app.use(wait);
  let thrown: unknown;
  const attempt = (res: Response, next: NextFunction): void => {
    try {
      act(res, next);
    } catch (error) {
      thrown = (error as { code?: string }).code;
      if (thrown === undefined) throw error;
    }
  };
  app.get('/', (_req: Request, res: Response, next: NextFunction) => {
    const end = send(res);
    assert.equal(res.headersSent, true);
    // Node emits an error for a chunk after the end
    res.on('error', () => undefined);
    if (isLater) {
      void Promise.resolve()
        .then(() => attempt(res, next))
        .catch(next)
        .finally(end);
    } else {
      attempt(res, next);
      end?.();
    }
  });
  const answer = await ask(app, {
    path: '/',
    headers: wait?.name === 'compression' ? { 'Accept-Encoding': 'gzip' } : {},
  });
  const { status, reason, headers, body } = answer;
  const isZipped = headers['content-encoding'] === 'gzip';
  return {
    thrown,
    status,
    reason,
    late: headers['x-late'],
    type: headers['content-type'],
    cookies: [headers['set-cookie'] ?? []].flat().filter(cookie => cookie.startsWith('late')),
    body: isZipped ? 'zipped' : body.length,
  };
}

for (const [name, ours, theirs] of [
  ['4.x', web, express],
  ['5.x', web5, express5],
] as unknown as [string, Web, Web][]) {
  describe(`a decided response on ${name}`, () => {
    const check = async (wait: () => Middleware, act: Act, send = SENDS.whole!): Promise<void> => {
      for (const isLater of [false, true]) {
        const expected = await outcome(theirs, undefined, act, isLater, send);
        const actual = await outcome(ours, wait(), act, isLater, send);
        if (actual.body === 'zipped') expected.body = 'zipped';
        assert.deepEqual(actual, expected, isLater ? 'after an await' : 'at once');
      }
    };
    for (const [what, wait] of Object.entries(WAITS)) {
      for (const [name, act] of Object.entries(ACTS)) {
        test(`${what}: ${name} after the response has the effect that it has on Express`, () =>
          check(wait, act));
      }
    }
    for (const what of ['compression of a large body', 'res.onSend']) {
      for (const name of SETTERS) {
        test(`${what}: ${name} between chunks has the effect that it has on Express`, () =>
          check(WAITS[what]!, ACTS[name]!, SENDS['in chunks']));
      }
    }
  });
}
