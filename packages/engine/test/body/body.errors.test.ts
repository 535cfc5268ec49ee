// runs: each
/** How the four body parsers reject a request, and what they do about more headers than Node passes on. */
import assert from 'node:assert/strict';
import http, { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import net, { connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request, Response } from 'express';
import web from 'ristretto';
import { onError, post, reporting } from '../support/body-parsers.js';
import type { Member } from '../support/body-parsers.js';
import { ask, exchange, withServer } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';

describe('web.text', () => {
  const unknown = { 'Content-Type': 'text/plain; charset=bogus' };
  const verify = (): void => undefined;

  test('verify: rejects an unknown charset before checking the encoding or the size', async () => {
    const coded = { ...unknown, 'Content-Encoding': 'x-own' };
    for (const [options, headers] of [
      [{ verify }, coded],
      [{ verify, limit: 1 }, unknown],
      [{}, coded],
      [{ limit: 1 }, unknown],
    ] as const) {
      const build = reporting(web => web.text(options));
      const { text } = await same(build, { method: 'POST', headers, body: 'a longer text' });
      const { type } = JSON.parse(text) as { type: string };
      assert.equal(type === 'charset.unsupported', 'verify' in options);
    }
  });
});

describe('body parsers: order of events on abort', () => {
  test('verify and reviver: what they throw may be a proxy or an object that throws when it is read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const read = (): never => {
      throw new Error('A getter throws');
    };
    const failures: object[] = [
      proxy,
      new Proxy(new Error('x'), { get: read, getPrototypeOf: read }),
      Object.defineProperty({}, 'type', { get: read }),
      Object.defineProperty(new Error('x'), 'type', { get: read }),
    ];
    for (const failure of failures) {
      const fail = (): never => {
        throw failure as Error;
      };
      for (const [status, options] of [
        [403, { verify: fail }],
        [403, { verify: () => Promise.reject(failure as Error) }],
        [400, { reviver: fail }],
      ] as const) {
        const app = web()
          .set('env', 'test')
          .use(web.json(options as object));
        assert.equal((await ask(app, post('application/json', '{"a":1}'))).status, status);
      }
    }
  });

  test('the error handler runs before the response closes, so that a logger at close reads its status', async () => {
    for (const name of ['express', 'ristretto'] as const) {
      const log: string[] = [];
      const app = frameworks[name]();
      app.set('env', 'test');
      app.use((_req, res, next) => {
        res.on('close', () => log.push(`close ${String(res.statusCode)}`));
        next();
      });
      app.use(frameworks[name].json());
      app.use(((error: { status: number }, _req: unknown, res: ServerResponse, _next: unknown) => {
        log.push('error handler');
        res.statusCode = error.status;
        res.end();
      }) as never);
      await withServer(createServer(app), async port => {
        const client = connect(port, '127.0.0.1');
        const fields = 'Host: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":';
        client.write(`POST / HTTP/1.1\r\n${fields}`);
        await delay(50);
        client.destroy();
        while (log.length < 2) await delay(10);
      });
      assert.deepEqual(log, ['error handler', 'close 400'], name);
    }
  });
});

const SAMPLES: Record<Member, [type: string, body: string, parsed: unknown]> = {
  json: ['application/json', '{"a":"1"}', { a: '1' }],
  raw: ['application/octet-stream', 'abc', { type: 'Buffer', data: [97, 98, 99] }],
  text: ['text/plain', 'abc', 'abc'],
  urlencoded: ['application/x-www-form-urlencoded', 'a=1', { a: '1' }],
};
const REFUSED = { status: 431, type: 'headers.too.many' };

/** The application's response, or only the status if Node rejected the request. */
interface Outcome {
  status: number;
  type?: string;
  body?: unknown;
}

/** Sends a request with `count` headers, starting with `first` and ending with `last`, and returns the outcome. */
async function outcome(
  parsers: readonly Member[],
  most: number | undefined,
  request: { count: number; first?: string[]; last?: string[]; body?: string; method?: string },
): Promise<Outcome> {
  const app = web();
  for (const member of parsers) app.use(web[member]({ extended: true } as object) as never);
  app.use((req: Request, res: Response) => void res.json({ body: req.body as unknown }));
  app.use(onError((error, _req, res) => void res.status(error.status).json({ type: error.type })) as never);
  const server = http.createServer(app);
  if (most !== undefined) server.maxHeadersCount = most;
  const { count, first = [], last = [], body = '', method = 'POST' } = request;
  const head = ['Host: x', 'Connection: close', ...first];
  const filler = Array.from({ length: count - head.length - last.length }, (_, at) => `a${at}: 1`);
  const lines = [`${method} / HTTP/1.1`, ...head, ...filler, ...last, '', body];
  const { status, text } = await withServer(server, port => exchange(port, lines.join('\r\n')));
  return { status, ...(text === '' ? {} : (JSON.parse(text) as object)) };
}

/** Asserts that the request was rejected, either by Node or by the parser. */
function assertRefused(actual: Outcome): void {
  assert.deepEqual(actual, 'type' in actual ? REFUSED : { status: 431 });
}

/** More headers than Node passes on: Node 20 drops the excess, later versions reject the request themselves. */
for (const member of Object.keys(SAMPLES) as Member[]) {
  const [type, body, parsed] = SAMPLES[member];
  const typed = `Content-Type: ${type}`;
  const sized = `Content-Length: ${body.length}`;
  const chunks = { last: ['Transfer-Encoding: chunked'], body: `1\r\n${body[0]}\r\n0\r\n\r\n` };

  describe(`web.${member}`, () => {
    test('error headers.too.many: 431 for a body whose length is in the headers that Node drops', async () => {
      // With 31 and 32, rawHeaders also ends at the limit
      for (const [most, count] of [
        [undefined, 1001],
        [undefined, 1500],
        [31, 32],
        [31, 60],
        [40, 41],
      ] as const) {
        assertRefused(await outcome([member], most, { count, first: [typed], last: [sized], body }));
        assertRefused(await outcome([member], most, { count, first: [typed], ...chunks }));
      }
    });

    test('error headers.too.many: 431 if the type or encoding of the body may have been dropped', async () => {
      for (const request of [
        { first: [sized], last: [typed] },
        { first: [sized, typed], last: ['Content-Encoding: gzip'] },
      ])
        assertRefused(await outcome([member], undefined, { count: 1001, body, ...request }));
    });

    test('headers: parses the body at exactly the limit of Node, or with no limit', async () => {
      for (const [most, count] of [
        [undefined, 1000],
        [31, 31],
        [40, 40],
        [0, 1500],
        [-1, 1500],
      ] as const) {
        const request = { count, first: [typed], last: [sized], body };
        assert.deepEqual(await outcome([member], most, request), { status: 200, body: parsed });
        const empty = await outcome([member], most, { count, method: 'GET' });
        assert.deepEqual(empty, { status: 200, body: {} });
      }
    });

    test('headers: accepts more than the limit without a body or with another type', async () => {
      for (const request of [
        { method: 'GET' },
        { last: ['Content-Length: 0'] },
        { first: ['Content-Type: image/png', sized], body },
      ]) {
        const actual = await outcome([member], undefined, { count: 1001, ...request });
        if (actual.status !== 431 || 'type' in actual) assert.deepEqual(actual, { status: 200, body: {} });
      }
    });
  });
}

describe('body.read', () => {
  test('error headers.too.many: also rejects a body that arrives later, and keeps the connection in sync', async () => {
    const app = web().use(web.json(), web.urlencoded({ extended: true }));
    const seen: unknown[] = [];
    app.use((req, res) => void res.json({ url: req.url, body: req.body as unknown }));
    app.use(
      onError((error, _req, res) => {
        seen.push([error.message, error.limit, error.expose]);
        res.status(error.status).end('refused');
      }) as never,
    );
    const filler = Array.from({ length: 1000 }, (_, at) => `a${at}: 1\r\n`).join('');
    await withServer(app, async port => {
      const answers = await new Promise<string>((resolve, reject) => {
        let received = '';
        const socket = net.connect(port, '127.0.0.1', () => {
          socket.write(
            `POST /first HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${filler}Content-Length: 7\r\n\r\n`,
          );
          setTimeout(() => socket.write('{"a":1}'), 50);
          setTimeout(() => socket.write('GET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), 100);
        });
        socket.setEncoding('utf8').on('data', (text: string) => (received += text));
        socket.on('error', reject).on('close', () => resolve(received));
      });
      assert.match(answers, /^HTTP\/1\.1 431 /);
      if (seen.length > 0) {
        assert.deepEqual(seen, [
          ['request has more than 1000 headers, the limit of server.maxHeadersCount', 1000, true],
        ]);
        assert.ok(answers.endsWith('{"url":"/second","body":{}}'), answers);
      }
    });
  });

  test('headers: accepts a stand-in for a request without rawHeaders and socket', async () => {
    const { Readable } = await import('node:stream');
    const req = Object.assign(Readable.from([]), { headers: {}, method: 'GET' });
    await new Promise<void>((resolve, reject) => {
      web.json()(req as never, {} as never, (error: unknown) => (error ? reject(error as Error) : resolve()));
    });
    assert.deepEqual((req as { body?: unknown }).body, {});
  });
});
