/** Members of responses, and the settings they use, that differ in Express 5 or do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import { words } from '../../engine/test/support/random.js';
import { attempt, looking, same, serving } from './support/oracle.js';

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

  test('res.send: a second one throws, also behind Transfer-Encoding, where no length is set', async () => {
    const twice: Respond[] = [
      res => res.set('Transfer-Encoding', 'chunked').send('a') && res.send('b'),
      res => res.set('Transfer-Encoding', 'chunked').send('a') && res.type('txt').send('b'),
      res => res.set('Transfer-Encoding', 'chunked').json({ a: 1 }) && res.json({ b: 1 }),
      res =>
        res.set('ETag', '"x"').set('Transfer-Encoding', 'chunked').type('txt').write('a') && res.send('b'),
    ];
    for (const respond of twice) {
      const thrown: unknown[] = [];
      await sends((res, req) => {
        thrown.push(attempt(() => respond(res, req)));
        res.end();
      });
      assert.match(JSON.stringify(thrown[0]), /headers after they are sent/);
      assert.deepEqual(thrown[1], thrown[0]);
    }
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

  test('res.set: adds a charset to a type, resolves an extension, and sets false for an unknown one', async () => {
    const types = [
      ...words('html js json text/html TEXT/HTML image/png zzz text/x-none application/xml a/b'),
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
      ...words('js mjs ico html .html json bin zzz text/html image/svg+xml file.tar.gz'),
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
      ...words('dir/a.html é.txt €.txt a"b %41.png a/ it\'s(1) /'),
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
    for (const Accept of words('text/javascript text/html text/x application/javascript */* image/png')) {
      await sends(format, {}, { Accept });
    }
    await sends(res => res.format({ default: () => res.send('d') }));
    await sends(res => res.format({}));
  });
});

/** Members of responses, and the settings they use, that are the same in Express 5 as in Express 4. */
describe('res', () => {
  /* eslint-disable @typescript-eslint/no-explicit-any -- arguments that the types refuse */
  type Respond = (res: any, req: web.Request, next: web.NextFunction) => unknown;
  const sends = (respond: Respond, settings?: Record<string, unknown>, request: Ask = {}) =>
    same(
      serving((req, res, next) => void respond(res, req, next), settings),
      request,
    );

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

  test('res.locals: have no prototype, and an existing value remains', async () => {
    for (const path of ['/0', '/1'])
      await same(web => {
        const app = web();
        app.use((_req, res) => void res.json([res.locals, Object.getPrototypeOf(res.locals) === null]));
        const { handle } = app as unknown as { handle: (...args: any[]) => void };
        (app as any).handle = (req: any, res: any, next: any) => {
          if (req.url === '/1') res.locals = { mine: 1 };
          Reflect.apply(handle, app, [req, res, next]);
        };
        return app;
      }, path);
  });
});
