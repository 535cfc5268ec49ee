// runs: each
/** `res.onSend` combined with middleware that patches the response, before and after it. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import web from 'ristretto';
import type { RequestHandler, Response } from 'ristretto';
import { fail, later, show, shown } from '../../support/hooks.js';
import type { Hook } from '../../support/hooks.js';
import { ask } from '../../support/http.js';
import type { Answer } from '../../support/http.js';

const compression = createRequire(__filename)('compression') as (options?: object) => RequestHandler;
const page = 'page '.repeat(1000);
const upper: Hook = body => (typeof body === 'string' ? body.toUpperCase() : undefined);

/** Returns an application with hooks before or after other middleware. */
function beside(middleware: RequestHandler, isAfter: boolean, ...hooks: Hook[]): ReturnType<typeof web> {
  const app = web().set('env', 'test');
  if (!isAfter) app.use(middleware);
  app.use((_req, res, next) => {
    for (const hook of hooks) res.onSend(hook);
    next();
  });
  return isAfter ? app.use(middleware) : app;
}

const gzipped = async (app: ReturnType<typeof web>, path: string): Promise<Answer> => {
  const answer = await ask(app, { path, headers: { 'Accept-Encoding': 'gzip' } });
  if (answer.headers['content-encoding'] === undefined) return answer;
  assert.equal(answer.headers['content-encoding'], 'gzip');
  return { ...answer, text: zlib.gunzipSync(answer.body).toString() };
};

/** Calls the listener before the headers are sent, as `on-headers` does. */
const listening =
  (listener: (res: Response) => void): RequestHandler =>
  (_req, res, next) => {
    const { writeHead } = res;
    let isFirst = true;
    res.writeHead = function (...args: unknown[]) {
      const isNow = isFirst;
      isFirst = false;
      if (isNow) listener(res);
      return Reflect.apply(writeHead, res, args) as typeof res;
    };
    next();
  };

describe('res.onSend with middleware', () => {
  for (const isAfter of [false, true]) {
    const order = isAfter ? 'hooks first' : 'compression first';

    test(`compression: compresses the body that hooks return (${order})`, async () => {
      for (const [hook, shower] of [
        [upper, show],
        [later(upper), later(show)],
      ] as const) {
        const app = beside(compression(), isAfter, hook, shower);
        app.get('/send', (_req, res) => res.send(page));
        app.get('/small', (_req, res) => res.send('a'));
        app.get('/end', (_req, res) => void res.type('txt').end('a'));
        const sent = await gzipped(app, '/send');
        assert.equal(sent.text, page.toUpperCase());
        assert.equal(sent.headers['x-body'], page.toUpperCase().slice(0, 60).trim());
        assert.equal(sent.headers['content-encoding'], 'gzip');
        assert.equal((await gzipped(app, '/small')).text, 'A');
        assert.equal((await gzipped(app, '/end')).text, 'A');
      }
    });

    test(`compression: streams, files and chunks arrive whole (${order})`, async () => {
      for (const hook of [show, later(show)]) {
        const app = beside(compression({ threshold: 0 }), isAfter, hook);
        const pieces = (size: number) => Array.from({ length: 20 }, () => Buffer.alloc(size, 'x'));
        app.get('/small', (_req, res) => void Readable.from(pieces(10)).pipe(res.type('txt')));
        app.get('/large', (_req, res) => void Readable.from(pieces(100_000)).pipe(res.type('txt')));
        app.get('/file', (_req, res) => res.type('txt').sendFile(__filename));
        app.get('/write', (_req, res) => {
          res.type('txt').write('a');
          res.write('b');
          res.end('c');
        });
        app.get('/flush', (_req, res) => {
          res.type('txt').flushHeaders();
          res.write('a');
          res.end('b');
        });
        assert.equal((await gzipped(app, '/small')).text.length, 200);
        assert.equal((await gzipped(app, '/large')).text.length, 2_000_000);
        assert.match((await gzipped(app, '/file')).text, /as `on-headers` does/i);
        assert.equal((await gzipped(app, '/write')).text, 'abc');
        assert.equal((await gzipped(app, '/flush')).text, 'ab');
      }
    });

    test(`compression: the response to an error in a hook is whole (${order})`, async () => {
      for (const hook of [fail, later(fail)]) {
        const app = beside(compression({ threshold: 0 }), isAfter, hook);
        app.get('/send', (_req, res) => res.send(page));
        app.get('/end', (_req, res) => void res.type('txt').end(page));
        app.get('/pipe', (_req, res) => void Readable.from([page, page]).pipe(res.type('txt')));
        app.get('/write', (_req, res) => void (res.type('txt').write(page), res.end()));
        app.use(shown);
        for (const path of ['/send', '/end', '/pipe', '/write']) {
          const { status, text } = await gzipped(app, `${path}?fail`);
          assert.deepEqual([path, status, text], [path, 500, 'shown: hook failed']);
        }
      }
    });
  }

  test('on-headers: listeners see the headers that hooks set, whichever was added first', async () => {
    for (const isAfter of [false, true]) {
      for (const hook of [later((_body, res) => void res.set('X-Hook', '1'))]) {
        const listener = listening(res => void res.set('X-Seen', String(res.get('X-Hook'))));
        const app = beside(listener, isAfter, hook);
        app.get('/send', (_req, res) => res.send('a'));
        app.get('/end', (_req, res) => void res.end('a'));
        app.get('/file', (_req, res) => res.sendFile(__filename));
        for (const path of ['/send', '/end', '/file']) {
          assert.equal((await ask(app, path)).headers['x-seen'], '1', path);
        }
      }
    }
  });

  test('on-headers: a listener added later runs first if the handler calls writeHead', async () => {
    const app = beside(
      listening(res => void res.set('X-Seen', String(res.get('X-Hook')))),
      true,
      (_body, res) => void res.set('X-Hook', String(res.get('X-Seen'))),
    );
    app.use((_req, res) => void res.writeHead(200).end());
    const { headers } = await ask(app);
    assert.deepEqual([headers['x-seen'], headers['x-hook']], ['undefined', 'undefined']);
  });

  test('on-headers: a listener that throws does so in the caller', async () => {
    const app = beside(
      listening(() => {
        throw new Error('listener');
      }),
      true,
      show,
    );
    // Middleware does this if no headers have been sent.
    app.use((_req, res) => void (res as unknown as { _implicitHeader: () => void })._implicitHeader());
    const { text } = await ask(app.use(shown));
    assert.equal(text, 'shown: listener');
  });

  test('strict http: corrects the response after the hooks', async () => {
    for (const hook of [upper, later(upper)]) {
      const app = beside((_req, _res, next) => next(), false, hook).set('strict http', true);
      app.get('/end', (_req, res) => void res.set('Content-Length', '9').end('a'));
      app.get('/head', (_req, res) => void res.writeHead(201, 'Made', { 'X-A': '1' }).end('a'));
      const { text, headers } = await ask(app, '/end');
      assert.deepEqual([text, headers['content-length']], ['A', '1']);
      const announced = await ask(app, '/head');
      assert.deepEqual([announced.status, announced.headers['x-a'], announced.text], [201, '1', 'A']);
    }
  });
});
