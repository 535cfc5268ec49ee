// runs: each
/** `res.onSend` and `res.earlyHints`, which 3.x responses inherit from 4.x. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto3';
import type { RequestHandler } from 'ristretto3';

/** Returns an application with the middleware that old ones have in front of their routes. */
const make = (isLater: boolean): ReturnType<typeof web> => {
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

describe('res.onSend', () => {
  for (const isLater of [false, true]) {
    test(`hooks: change what is sent in any way (${isLater ? 'later' : 'at once'})`, async () => {
      const seen: Record<string, unknown> = {};
      for (const path of ['/send', '/status', '/redirect', '/none', '/stream']) {
        const { status, text, headers } = await make(isLater).inject(path);
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
        const { status, text } = await make(isLater).inject(path);
        assert.equal(status, 500);
        assert.match(text(), /Error: hook failed/);
      }
    });
  }

  test('prototype: neither member is enumerable', () => {
    const names: string[] = [];
    for (const name in web.response) names.push(name);
    assert.ok(!names.includes('onSend') && !names.includes('earlyHints'));
    assert.equal(typeof (web.response as unknown as Record<string, unknown>).onSend, 'function');
  });
});
