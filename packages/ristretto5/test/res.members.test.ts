/** Members of responses, and the settings they use, that differ in Express 5 or do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { VIEWS } from '../../engine/test/support/views.js';
import { attempt, looking, quiet, same, serving } from './support/oracle.js';
import type { Web } from './support/oracle.js';

/** Members of responses that behave differently in Express 5 than in Express 4. */
describe('res', () => {
  /* eslint-disable @typescript-eslint/no-explicit-any -- arguments that the types refuse */
  type Respond = (res: any, req: web.Request) => unknown;
  const sends = (
    respond: Respond,
    settings?: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) =>
    same(
      serving((req, res) => void respond(res, req), settings),
      { headers },
    );
  const gives = (look: Respond) => same(looking((req, res) => look(res, req)));

  test('res.status: throws for non-integers and outside 100 to 999', async () => {
    for (const code of [200, 999, 99, 1000, '200', 200.5, NaN, undefined, null, 'x', -1]) {
      await gives(res => attempt(() => res.status(code).statusCode));
      await gives(res => attempt(() => res.sendStatus(code)));
    }
  });

  test('res.send: sends numbers as JSON, and takes no status', async () => {
    for (const body of [
      204,
      0,
      true,
      null,
      undefined,
      'x',
      '',
      { a: 1 },
      [1],
      Buffer.from('b'),
      new Date(0),
    ]) {
      await sends(res => res.send(body));
    }
    await sends(res => res.send('x', 404));
    await sends(res => res.send(404, 'x'));
    await sends(res => res.json({ a: 1 }, 404));
    await sends(res => res.jsonp({ a: 1 }, 404));
    for (const bad of [1n, () => 1, Symbol('s')]) await sends(res => res.send(bad));
  });

  test('res.send: sends typed arrays as raw bytes', async () => {
    const { headers } = await sends(res => res.send(new Uint8Array([1, 2, 3])));
    assert.equal(headers['content-type'], 'application/octet-stream');
    await sends(res => res.type('png').send(new Uint8Array([1, 2, 3]).subarray(1)));
  });

  test('res.send: sends all bytes of wider typed arrays, which Express 5 truncates', async () => {
    const app = web().use((_req, res) => void res.send(new Uint16Array([0x4142, 0x4344])));
    assert.equal((await ask(app)).body.length, 4);
    const view = web().use(
      (_req, res) => void res.send(new DataView(Buffer.from('abcd').buffer, 0, 2) as never),
    );
    assert.equal((await ask(view)).body.length, 2);
  });

  test('res.send: sets the charset of a type, and is lenient with its parameters', async () => {
    for (const type of [
      'text/plain',
      'text/html;;',
      'text/html; x',
      'text/x; a=B; charset=latin1',
      'foo',
      'a/b; x="y"',
    ]) {
      await sends(res => {
        res.setHeader('Content-Type', type);
        res.send('é');
      });
    }
  });

  test('res.send: sends no Content-Length with Transfer-Encoding', async () => {
    const { headers } = await sends(res => res.set('Transfer-Encoding', 'chunked').send('text'));
    assert.equal(headers['content-length'], undefined);
    await sends(res => res.set('Transfer-Encoding', 'chunked').json({ a: 1 }));
  });

  test('res.jsonp: wraps the value in the callback named in the query', async () => {
    const build = serving((_req, res) => void res.jsonp({ a: '\u2028' }));
    await same(build, '/?callback=f.g[0]');
    await same(build, '/?callback=f&callback=g');
    await same(build, '/');
  });

  test('res.set: adds a charset to a type, resolves an extension, and sets false for an unknown one', async () => {
    const types = [
      'html',
      'js',
      'json',
      'text/html',
      'TEXT/HTML',
      'image/png',
      'zzz',
      'text/x-none',
      'application/xml',
      'a/b',
      'text/html; charset=x',
      '.css',
      '',
    ];
    for (const type of types) {
      await gives(res => attempt(() => res.set('Content-Type', type).get('Content-Type')));
      await sends(res => res.set('Content-Type', type).send('x'));
      await sends(res => res.set('Content-Type', type).end('x'));
    }
    await gives(res => attempt(() => res.set('Content-Type', ['a', 'b'])));
    await gives(res => attempt(() => res.set({ 'X-A': 1, 'X-B': [1, 2] }).getHeaders()));
  });

  test('res.type: accepts types and extensions of mime-types 3', async () => {
    for (const type of [
      'js',
      'mjs',
      'ico',
      'html',
      '.html',
      'json',
      'bin',
      'zzz',
      'text/html',
      'image/svg+xml',
      'file.tar.gz',
      '',
    ]) {
      await gives(res => attempt(() => res.type(type).get('Content-Type')));
    }
  });

  test('res.redirect: a redirect that fails because of its status leaves no policy for the error page', async () => {
    const fails: Respond = res => {
      attempt(() => res.redirect('/a', 301));
      res.json(res.getHeaderNames());
    };
    await sends(fails, {}, { Accept: 'text/html' });
  });

  test('res.redirect: HEAD and GET have the same length if a hook replaces the body', async () => {
    const text = 'longer than the page of the redirect'.repeat(3);
    const app = web().get('/', (_req, res) => {
      res.onSend(() => text);
      res.redirect('/a');
    }) as web.Application;
    const [get, head] = [await ask(app), await ask(app, { method: 'HEAD' })];
    assert.equal(get.text, text);
    assert.deepEqual([head.status, head.headers['content-length']], [302, String(text.length)]);
  });

  test('res.redirect: takes a URL, or a status and a URL, but not a URL first and then a status', async () => {
    await sends(res => res.redirect('/a?b=<c>'));
    await sends(res => res.redirect(301, '/a'));
    await sends(res => res.redirect('back'));
    await sends(res => res.redirect('/a', 301));
    await sends(res => res.redirect());
    await sends(res => res.redirect(307, 'http://x.y/é'));
    await sends(res => res.redirect('/a'), {}, { Accept: 'text/html' });
    await sends(res => res.redirect(303, '/<b>'), {}, { Accept: 'text/html' });
    await sends(res => res.redirect('/a'), {}, { Accept: 'application/json' });
    await same(
      serving((_req, res) => void res.redirect('/a')),
      { method: 'HEAD' },
    );
  });

  test("res.location: treats 'back' as a path like any other", async () => {
    await gives(res => res.location('back').get('Location'));
    await gives(res => res.location('/é?a=%20 b').get('Location'));
  });

  test('res.clearCookie: ignores expires and maxAge', async () => {
    await gives(res =>
      res
        .clearCookie('a', { maxAge: 1000, expires: new Date(5e12), path: '/x', httpOnly: true })
        .get('Set-Cookie'),
    );
    await gives(res => res.clearCookie('a').get('Set-Cookie'));
  });

  test('res.cookie: serialises as Express 5 does', async () => {
    await gives(res => res.cookie('a', { b: 1 }, { httpOnly: true, sameSite: 'lax' }).get('Set-Cookie'));
    await gives(res => attempt(() => res.cookie('a', 'b', { signed: true })));
  });

  test('res.vary: throws without a header name', async () => {
    for (const field of [undefined, '', [], 'A', ['A', 'b'], '*', 'a b']) {
      await gives(res => attempt(() => res.vary(field).get('Vary')));
    }
  });

  test('res.links: writes one entry for each URL of a list', async () => {
    await gives(res => res.links({ next: ['/2', '/3'], last: '/9' }).get('Link'));
    await gives(res => res.set('Link', '</x>').links({ a: '/y' }).get('Link'));
  });

  test('res.attachment: leaves a token unquoted, and uses ? for characters that old clients cannot read', async () => {
    for (const name of [
      undefined,
      '',
      'a.txt',
      'a b.txt',
      'dir/a.html',
      'é.txt',
      '€.txt',
      'a"b',
      '%41.png',
      'a/',
      "it's(1)",
      '/',
    ]) {
      await gives(res => attempt(() => res.attachment(name).getHeaders()));
    }
    await gives(res => attempt(() => res.attachment(5)));
  });

  test('res.format: negotiates with the extensions of mime-types 3', async () => {
    const format: Respond = res =>
      res.format({
        js: () => res.send('js'),
        html: () => res.send('html'),
        'text/x': () => res.send('x'),
      });
    for (const Accept of [
      'text/javascript',
      'text/html',
      'text/x',
      'application/javascript',
      '*/*',
      'image/png',
    ]) {
      await sends(format, {}, { Accept });
    }
    await sends(res => res.format({ default: () => res.send('d') }));
    await sends(res => res.format({}));
  });
});

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

/** Members of responses, and the settings they use, that are the same in Express 5 as in Express 4. */
describe('res', () => {
  /* eslint-disable @typescript-eslint/no-explicit-any -- arguments that the types refuse */
  type Respond = (res: any, req: web.Request, next: web.NextFunction) => unknown;
  const sends = (respond: Respond, settings?: Record<string, unknown>, request: Ask = {}) =>
    same(
      serving((req, res, next) => void respond(res, req, next), settings),
      request,
    );
  const gives = (look: (res: any) => unknown) => same(looking((_req, res) => look(res)));

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
