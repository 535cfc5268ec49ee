// runs: each
/** Additions to Express: HTTP/2, `app.fetch`, `app.inject`, `res.onSend`, `res.earlyHints`, `res.sse`. */
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import type { RequestHandler } from 'ristretto3';
import { askSession, withSession } from '../../engine/test/support/http2.js';

const make = (): ReturnType<typeof web> => {
  const app = web();
  app.use(web.json());
  app.post('/:id', (req, res) => {
    res.json({ id: req.params.id, body: req.body as unknown, version: req.httpVersion });
  });
  return app;
};

/** An application of 3.x over HTTP/2, through `app.fetch` and `app.inject`. */
describe('app.fetch', () => {
  test('a Request: resolves with a Response', async () => {
    const { fetch } = make();
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(
      new Request('http://a.example/5', { method: 'POST', headers, body: '{"a":1}' }),
    );
    assert.deepEqual(await response.json(), { id: '5', body: { a: 1 }, version: '1.1' });
  });
});

describe('app.inject', () => {
  test('options: resolves with the whole response', async () => {
    const response = await make().inject({ url: '/6', body: { a: 1 } });
    assert.deepEqual(response.json(), { id: '6', body: { a: 1 }, version: '1.1' });
  });
});

describe('app.handle', () => {
  test('HTTP/2: each request gets the request and response of the application', async () => {
    await withSession(http2.createServer(make() as never), async session => {
      const headers = { 'content-type': 'application/json' };
      for (let i = 0; i < 2; i++) {
        const asked = { method: 'POST', path: '/7', headers, body: '{"a":1}' };
        const { text } = await askSession(session, asked);
        assert.deepEqual(JSON.parse(text), { id: '7', body: { a: 1 }, version: '2.0' });
      }
    });
  });
});

/** Returns an application with the middleware that old ones have in front of their routes. */
const makeHooked = (isLater: boolean): ReturnType<typeof web> => {
  const app = web();
  app.set('env', 'test');
  app.use(web.compress());
  app.use(web.responseTime());
  const addHooks: RequestHandler = (req, res, next) => {
    res.on('header', () => res.set('X-Event', String(res.get('X-Hook'))));
    res.onSend(body => {
      res.set('X-Hook', '1');
      if (req.query.fail !== undefined) throw new Error('hook failed');
      const upper = typeof body === 'string' ? body.toUpperCase() : undefined;
      return isLater ? Promise.resolve(upper) : upper;
    });
    next();
  };
  app.use(addHooks);
  app.get('/send', (_req, res) => void res.earlyHints({ next: '/2' }).send('text'));
  app.get('/status', (_req, res) => void res.send(404));
  app.get('/redirect', (_req, res) => void res.redirect('/x'));
  app.get('/stream', (_req, res) => {
    res.write('a');
    res.end('b');
  });
  return app;
};

/** `res.onSend` and `res.earlyHints`, which 3.x responses inherit from 4.x. */
describe('res.onSend', () => {
  for (const isLater of [false, true]) {
    test(`hooks: change what is sent in any way (${isLater ? 'later' : 'at once'})`, async () => {
      const seen: Record<string, unknown> = {};
      for (const path of ['/send', '/status', '/redirect', '/none', '/stream']) {
        const { status, text, headers } = await makeHooked(isLater).inject(path);
        seen[path] = [status, text()];
        assert.equal(headers['x-hook'], '1');
        assert.equal(headers['x-event'], '1');
        assert.match(String(headers['x-response-time']), /ms$/);
      }
      assert.deepEqual(seen, {
        '/send': [200, 'TEXT'],
        '/status': [404, 'NOT FOUND'],
        '/redirect': [302, 'FOUND. REDIRECTING TO /X'],
        '/none': [404, 'CANNOT GET /NONE\n'],
        '/stream': [200, 'ab'],
      });
    });

    test(`errors: go to the error handlers (${isLater ? 'later' : 'at once'})`, async () => {
      for (const path of ['/send?fail', '/stream?fail', '/none?fail']) {
        const { status, text } = await makeHooked(isLater).inject(path);
        assert.equal(status, 500);
        assert.match(text(), /Error: hook failed/);
      }
    });
  }
});

/** Additions to Express on 3.x responses: `res.sse`, and streams as bodies. */
describe('res.sse', () => {
  test('events: are sent to the client', async () => {
    const app = web();
    app.get('/', (_req, res) => {
      const events = res.sse();
      void events.send({ event: 'a', data: [1] });
      events.close();
    });
    const { headers, text } = await app.inject('/');
    assert.deepEqual([headers['content-type'], text()], ['text/event-stream', 'event: a\ndata: [1]\n\n']);
  });
});

describe('res.send', () => {
  test('stream: sends its chunks, also after a status', async () => {
    const app = web();
    app.get('/', (_req, res) => res.send(201, Readable.from(['a', 'b'])));
    const { status, text } = await app.inject('/');
    assert.deepEqual([status, text()], [201, 'ab']);
  });
});
