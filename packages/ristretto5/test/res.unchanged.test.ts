// runs: built
/** Members of responses, and the settings they use, that are the same in Express 5 as in Express 4. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type web from 'ristretto5';
import type { Ask } from '../../engine/test/support/http.js';
import { VIEWS } from '../../engine/test/support/views.js';
import { attempt, looking, quiet, same, serving } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- arguments that the types refuse */
type Respond = (res: any, req: web.Request, next: web.NextFunction) => unknown;
const sends = (respond: Respond, settings?: Record<string, unknown>, request: Ask = {}) =>
  same(
    serving((req, res, next) => void respond(res, req, next), settings),
    request,
  );
const gives = (look: (res: any) => unknown) => same(looking((_req, res) => look(res)));

/** Returns an application with an engine that renders its arguments. */
function rendering(build: (app: web.Application) => unknown) {
  return (web: Web): web.Application => {
    const app = quiet(web());
    app.engine('tmpl', (file: string, options: any, done: (error: unknown, html?: string) => void) => {
      if (options.fails) done(new Error('no view'));
      else {
        const { settings: _settings, _locals, cache, ...locals } = options;
        done(null, JSON.stringify([file.slice(-9), locals, cache, { ..._locals }]));
      }
    });
    app.set('views', [`${__dirname}/none`, VIEWS]).set('view engine', 'tmpl');
    build(app);
    return app;
  };
}
describe('res', () => {
  test('res.append, res.get, res.header: add and read headers', async () => {
    await gives(res => [
      res.append('X-A', '1').append('x-a', ['2', 3]).get('X-A'),
      res.append('Set-Cookie', 'a=1').append('Set-Cookie', 'b=2').get('set-cookie'),
      res.header('X-B', 5).get('x-b'),
      res.get('none'),
      attempt(() => res.get()),
      attempt(() => void res.header()),
      attempt(() => void res.set(undefined)),
      attempt(() => res.set('X-C', undefined).get('X-C')),
      attempt(() => void res.set('X\n', 'a')),
      attempt(() => void res.set('X-D', 'a\n')),
    ]);
  });

  test('res.contentType: is an alias of res.type; types keep their parameters', async () => {
    for (const type of ['html', 'text/plain', 'text/html; charset=latin1', 'x.tar.gz', 'jpg']) {
      await gives(res => res.contentType(type).get('Content-Type'));
      await sends(res => res.contentType(type).send('x'));
    }
    for (const bad of [undefined, 5, null]) {
      await gives(res => (attempt(() => res.type(bad)) as { thrown?: string }).thrown);
    }
  });

  test('res.json: applies json spaces, json replacer and json escape', async () => {
    const value = { a: [1, '<b>&\u2028'], c: undefined, d: new Date(0), e: null, f: NaN };
    const settings: Record<string, unknown>[] = [
      {},
      { 'json spaces': 2 },
      { 'json spaces': '\t' },
      { 'json replacer': ['a', 'c'] },
      { 'json replacer': (key: string, inner: unknown) => (key === 'd' ? 'replaced' : inner) },
      { 'json escape': true },
      { 'json escape': true, 'json spaces': 1 },
    ];
    for (const set of settings) {
      await sends(res => res.json(value), set);
      await sends(res => res.jsonp(value), set, { path: '/?callback=cb' });
      await sends(res => res.send(value), set);
    }
    for (const odd of [undefined, null, 5, 'text', Symbol('s'), 1n, () => 1])
      await sends(res => res.json(odd));
    await sends(res => res.type('application/x-own').json({ a: 1 }));
    await sends(res => res.status(201).json({ a: 1 }));
  });

  test('res.jsonp: the name of the callback is a setting and is sanitized', async () => {
    for (const path of ['/?cb=f', '/?cb[a]=f', '/?cb=a.b[0]$;alert(1)', '/?callback=f', '/?cb=']) {
      await sends(res => res.jsonp({ a: 1 }), { 'jsonp callback name': 'cb' }, { path });
    }
  });

  test('res.send: follows the etag setting and the request', async () => {
    const values = [true, false, 'weak', 'strong', (body: Buffer) => `"${String(body.length)}"`];
    for (const etag of values) {
      await sends(res => res.send('text'), { etag });
      await sends(res => res.send(Buffer.from('text')), { etag });
      await sends(res => res.send({}), { etag }, { headers: { 'If-None-Match': '"2"' } });
    }
    await sends(res => res.set('ETag', '"own"').send('x'), {}, { headers: { 'If-None-Match': '"own"' } });
    for (const status of [204, 205, 304, 404, 500]) {
      await sends(res => res.status(status).type('txt').send('body'));
      await sends(res => res.status(status).send('body'), {}, { method: 'HEAD' });
    }
    for (const code of [200, 404, 500, 418, 299]) await sends(res => res.sendStatus(code));
  });

  test('res.status: is called for a 304 and a redirect', async () => {
    const calling: Respond = res => {
      const { status } = res;
      const codes: number[] = [];
      res.status = function (code: number) {
        codes.push(code);
        res.setHeader('X-Codes', codes.join());
        return status.call(this, code);
      };
    };
    await sends((res, req, next) => (calling(res, req, next), res.redirect('/x')));
    await sends((res, req, next) => (calling(res, req, next), res.sendStatus(404)));
    await sends(
      (res, req, next) => (calling(res, req, next), res.set('ETag', '"a"').send('x')),
      {},
      { headers: { 'If-None-Match': '"a"' } },
    );
    for (const status of ['301', 99, null, undefined, 3.5]) await sends(res => res.redirect(status, '/x'));
  });

  test('res.redirect: warns about missing arguments and wrong types', async () => {
    const notices: string[] = [];
    process.on('deprecation', (error: Error & { namespace?: string }) => {
      notices.push(`${String(error.namespace)}: ${error.message}`);
    });
    await sends(res => res.redirect(undefined));
    await sends(res => res.redirect({ toString: () => '/x' }));
    await sends(res => res.redirect('302', '/x'));
    const ours = notices.filter(text => /Provide a url|Url must|Status must/.test(text));
    const once = [...new Set(ours)].sort();
    assert.deepEqual(once, [
      'express: Provide a url argument',
      'express: Status must be a number',
      'express: Url must be a string',
    ]);
    // Both frameworks emit each of them
    for (const text of once) assert.equal(ours.filter(one => one === text).length % 2, 0, text);
  });

  test('res.cookie: takes options, signs, and rejects what cannot be sent', async () => {
    const options: unknown[] = [
      undefined,
      { maxAge: 1000, path: '/a' },
      { maxAge: 'x' },
      { expires: new Date(5e12), domain: 'a.test', secure: true },
      { sameSite: 'x' },
      { sameSite: true, priority: 'high', partitioned: true },
      { path: 'a;b' },
      { encode: (text: string) => text.toUpperCase() },
      null,
    ];
    for (const given of options) {
      await gives(res =>
        attempt(() =>
          String(res.cookie('n', 'v é', given).get('Set-Cookie')).replace(/Expires=[^;]*/, 'Expires'),
        ),
      );
    }
    await sends((res, req) => {
      (req as { secret?: string }).secret = 'keyboard';
      res.cookie('a', { b: 1 }, { signed: true }).cookie('n', 5).end();
    });
    for (const name of ['', 'a b', 'a=b', 'é'])
      await gives(res => attempt(() => res.cookie(name, 'x').get('Set-Cookie')));
  });

  test('res.location, res.vary, res.links: write one header each', async () => {
    for (const url of ['/a b', 'http://é.test/ü?x=%zz', '//evil.test', '', 'http://a\\@b.test']) {
      await gives(res => attempt(() => res.location(url).get('Location')));
    }
    await gives(res => attempt(() => res.location(undefined).get('Location')));
    await gives(res => res.vary('A').vary('a, B').vary('*').vary('C').get('Vary'));
    await gives(res => res.links({ a: '/1' }).links({ b: '/2' }).get('Link'));
    await gives(res => attempt(() => res.links({}).get('Link')));
  });

  test('res.locals, res.app, res.req, res.headersSent: belong to the request', async () => {
    await same(web => {
      const app = web();
      app.use((req, res, next) => {
        res.locals.a = Object.getPrototypeOf(res.locals) as unknown;
        res.locals.b = [res.app === req.app, res.req === req, res.headersSent, Object.hasOwn(res, 'locals')];
        next();
      });
      return app.use(
        '/',
        web().use((_req, res) => void res.json(res.locals)),
      );
    });
    for (const path of ['/0', '/1'])
      await same(web => {
        const app = web();
        app.use((_req, res) => void res.json([res.locals, Object.getPrototypeOf(res.locals) === null]));
        // An existing value remains
        const { handle } = app as unknown as { handle: (...args: any[]) => void };
        (app as any).handle = (req: any, res: any, next: any) => {
          if (req.url === '/1') res.locals = { mine: 1 };
          Reflect.apply(handle, app, [req, res, next]);
        };
        return app;
      }, path);
  });

  test('res.render: finds views, merges locals in order, and reports errors', async () => {
    const build = rendering(app => {
      app.locals.shared = 'app';
      app.locals.of = 'app';
      app.use((req, res, next) => {
        res.locals.of = 'res';
        const query = req.query as Record<string, string>;
        if (query.cb) res.render('user', { own: 1 }, (error, html) => void res.send([String(error), html]));
        else if (query.only)
          res.render('user', ((_error: unknown, html: string) => void res.send(html)) as never);
        else if (query.app) app.render('user.tmpl', { cache: true }, (_error, html) => void res.send(html));
        else if (query.none) res.render('none');
        else if (query.fails) res.render('user', { fails: true });
        else if (query.ext) res.render('user.zzz');
        else res.render('user', { of: 'call' });
        void next;
      });
    });
    for (const path of ['/', '/?cb=1', '/?only=1', '/?app=1', '/?fails=1']) await same(build, path);
    for (const path of ['/?none=1', '/?ext=1']) {
      const { status } = await same(
        web =>
          build(web).use(((error: Error, _req: unknown, res: web.Response, _next: unknown) => {
            res.status(500).send([error.constructor.name, error.message.slice(0, 30), 'view' in error]);
          }) as web.ErrorRequestHandler),
        path,
      );
      assert.equal(status, 500);
    }
  });

  test('res.format: sends 406 for types without a function unless there is a default, and sets Vary', async () => {
    for (const Accept of ['text/plain', 'text/html;q=.5, application/json', 'image/png', '*/*', 'text/*']) {
      const headers = { Accept };
      const object = (res: any) => ({
        text: () => res.send('text'),
        html: () => res.send('html'),
        json: () => res.json({}),
      });
      await sends(res => res.format(object(res)), {}, { headers });
      await sends(
        res => res.vary('Accept').format({ ...object(res), default: () => res.send('d') }),
        {},
        { headers },
      );
      await sends(
        res => res.format({ 'text/plain; charset=x': () => res.send('t'), '.json': () => res.json(1) }),
        {},
        { headers },
      );
    }
    await sends(res => res.format(), {}, {});
  });
});
