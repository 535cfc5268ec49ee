// runs: each
/** HTTP/2: the time within which a request must have arrived, `server.requestTimeout`. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import type { ClientHttp2Stream } from 'node:http2';
import { describe, test } from 'node:test';
import web from 'ristretto';
import type { Request, Response } from 'ristretto';
import { askSession, withSession } from '../support/http2.js';
import type { Http2Answer } from '../support/http2.js';
import { until } from '../support/until.js';

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;

/** The time limit of these servers, and how often the clients send a byte. */
const LIMIT = 100;
const DRIP = 10;

type App = ReturnType<typeof web>;
type Handler = (req: Request, res: Response) => unknown;

/** Servers of an application: its own, and one that it shares. */
const servers: Record<string, (app: App) => http2.Http2Server> = {
  'own server': app => http2.createServer(app as never),
  'shared server': app =>
    http2.createServer((req, res) => {
      app(req as never, res as never);
    }),
};

const handling = (handler: Handler): App =>
  web()
    .set('env', 'test')
    .use(handler as never);

/** Sends a byte now and then. */
const drip = (stream: ClientHttp2Stream): void => {
  const timer = setInterval(() => stream.write('x'), DRIP);
  stream.on('close', () => {
    clearInterval(timer);
  });
};

interface Options {
  begin?: (stream: ClientHttp2Stream) => void;
  /** Null leaves the server as it is. */
  requestTimeout?: number | null;
}

/** Sends two uploads on a session: on an own server, Node creates the messages of the first one. */
const upload = (
  server: http2.Http2Server,
  { begin = drip, requestTimeout = LIMIT }: Options = {},
): Promise<Http2Answer[]> => {
  if (requestTimeout !== null) Object.assign(server, { requestTimeout });
  return withSession(server, async session => {
    const options = { method: 'POST', headers: { 'content-type': 'text/plain' }, begin };
    return [await askSession(session, options), await askSession(session, options)];
  });
};

const codes = (answers: Http2Answer[]): unknown[] => answers.map(({ status, code }) => [status, code]);
const twice = (value: unknown): unknown[] => [value, value];

for (const [title, serve] of Object.entries(servers)) {
  describe(`HTTP/2: requestTimeout, ${title}`, () => {
    const reading: [string, Handler][] = [
      ['nobody reads', () => undefined],
      ['the handler reads', req => req.resume()],
      ['the handler has paused', req => req.once('data', () => req.pause())],
    ];
    for (const [how, handler] of reading) {
      test(`an upload that takes too long, ${how}: gets 408, and the request is aborted`, async () => {
        const seen: string[] = [];
        const app = handling((req, res) => {
          req.on('aborted', () => seen.push('aborted'));
          req.on('error', error => seen.push((error as NodeJS.ErrnoException).code!));
          res.on('close', () => seen.push(`close ${String(res.writableFinished)}`));
          handler(req, res);
        });
        assert.deepEqual(codes(await upload(serve(app))), twice([408, NGHTTP2_NO_ERROR]));
        await until(() => seen.length === 6);
        assert.deepEqual(seen.sort(), [
          'ECONNRESET',
          'ECONNRESET',
          'aborted',
          'aborted',
          'close false',
          'close false',
        ]);
      });
    }

    test('a body parser: passes on request.aborted once', async () => {
      const types: unknown[] = [];
      const app = web().set('env', 'test').use(web.text());
      app.use(((error, _req, _res, next) => {
        types.push((error as { type?: unknown }).type);
        next(error);
      }) as web.ErrorRequestHandler);
      assert.deepEqual(codes(await upload(serve(app))), twice([408, NGHTTP2_NO_ERROR]));
      await until(() => types.length === 2);
      assert.deepEqual(types, twice('request.aborted'));
    });

    test('a handler that responds after the 408: has no effect', async () => {
      let late = 0;
      const app = handling((req, res) => {
        req.on('error', () => undefined);
        req.on('aborted', () => {
          res.write('too ');
          res.end('late');
          late++;
        });
      });
      assert.deepEqual(codes(await upload(serve(app))), twice([408, NGHTTP2_NO_ERROR]));
      assert.equal(late, 2);
    });

    test('a response that has begun: is reset', async () => {
      const app = handling((_req, res) => res.write('a'));
      const answers = await upload(serve(app));
      assert.deepEqual(codes(answers), twice([200, NGHTTP2_CANCEL]));
      assert.equal(answers[0]!.text, 'a');
    });

    test('a response that was sent: stays whole', async () => {
      const app = handling((req, res) => {
        req.on('error', () => undefined).resume();
        res.end('whole');
      });
      const answers = await upload(serve(app));
      assert.deepEqual(
        answers.map(({ status, text, code }) => [status, text, code]),
        twice([200, 'whole', NGHTTP2_NO_ERROR]),
      );
    });

    test('a request that has arrived, read or not: may take longer to respond', async () => {
      for (const isRead of [false, true]) {
        const app = handling((req, res) => {
          if (isRead) req.resume();
          setTimeout(() => res.end('done'), 3 * LIMIT);
        });
        const answers = await upload(serve(app), { begin: stream => void stream.end('x') });
        assert.deepEqual(codes(answers), twice([200, NGHTTP2_NO_ERROR]));
      }
    });

    test('0: means no limit', async () => {
      const begin = (stream: ClientHttp2Stream): void => {
        setTimeout(() => stream.end('x'), 2 * LIMIT);
      };
      const app = handling((req, res) => req.on('end', () => res.end('done')).resume());
      const answers = await upload(serve(app), { begin, requestTimeout: 0 });
      assert.deepEqual(codes(answers), twice([200, NGHTTP2_NO_ERROR]));
    });

    test('default: is 300 seconds, with one timer for all uploads of a server', async context => {
      const timer = context.mock.method(globalThis, 'setTimeout');
      const app = handling((req, res) => req.on('end', () => res.end('done')).resume());
      const begin = (stream: ClientHttp2Stream): void => void stream.end('x');
      const answers = await upload(serve(app), { begin, requestTimeout: null });
      assert.deepEqual(codes(answers), twice([200, NGHTTP2_NO_ERROR]));
      const delays = timer.mock.calls.map(({ arguments: [, delay] }) => delay!);
      assert.equal(delays.filter(delay => delay > 290_000 && delay <= 300_000).length, 1);
    });
  });
}
