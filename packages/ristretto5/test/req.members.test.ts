/** Members of requests, and the settings they use, that differ in Express 5 or do not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import web from 'ristretto5';
import { ask } from '../../engine/test/support/http.js';
import { words } from '../../engine/test/support/random.js';
import { attempt, frameworks, looking, quiet, same, serving } from './support/oracle.js';
import type { Web } from './support/oracle.js';

const read = (name: string) => (req: web.Request) => (req as unknown as Record<string, unknown>)[name];

describe('req', () => {
  test('req.query: is parsed on every read, as a new object', async () => {
    await same(
      looking(req => [req.query, req.query === req.query]),
      '/?a[b]=1&a[b]=2&c=%20',
    );
    await same(looking(read('query')), '/?');
    await same(looking(read('query')), '/');
    await same(looking(read('query'), { 'query parser': 'extended' }), '/?a[b]=1&__proto__[x]=2&toString=3');
    await same(looking(read('query'), { 'query parser': false }), '/?a=1');
  });

  test('req.query: cannot be assigned, but can be redefined', async () => {
    await same(
      looking(req => [
        attempt(() => {
          'use strict';
          (req as { query: unknown }).query = 1;
        }),
        Object.defineProperty(req, 'query', { value: 2 }).query,
      ]),
    );
  });

  test('req.query: keeps what is written to it with the setting `query writable`, also in a sub-application', async () => {
    const app = web().enable('query writable');
    const sub = web();
    app.use((req, _res, next) => {
      req.query.added = '1';
      (req as { query: unknown }).query = { ...req.query, assigned: '2' };
      delete req.query.removed;
      next();
    });
    sub.get('/', (req, res) => res.json([req.query, Object.keys(req).includes('query')]));
    app.use('/sub', sub);
    const { text } = await ask(quiet(app), '/sub?a=b&removed=1');
    assert.deepEqual(JSON.parse(text), [{ a: 'b', added: '1', assigned: '2' }, true]);
  });

  test('req.query: can be assigned before it is read with `query writable`, and not after the setting is disabled', async () => {
    const assign = serving((req, res) => {
      const failure = attempt(() => {
        'use strict';
        (req as { query: unknown }).query = { a: 1 };
      });
      res.json([req.query, failure === undefined]);
    });
    const read = async (app: web.Application) => JSON.parse((await ask(quiet(app), '/?b=2')).text) as unknown;
    assert.deepEqual(await read(assign(web).enable('query writable')), [{ a: 1 }, true]);
    const disabled = assign(web).enable('query writable').disable('query writable');
    assert.deepEqual(await read(disabled), [{ b: '2' }, false]);
  });

  test('req.query: an exception of the parser is thrown on read', async () => {
    const parser = () => {
      throw new Error('bad query');
    };
    await same(looking(read('query'), { 'query parser': parser }), '/?a');
  });

  test('req.host: includes the port; req.hostname does not', async () => {
    for (const Host of ['ex.com:8080', 'ex.com', '[::1]:8080', '']) {
      await same(
        looking(req => [req.host, req.hostname]),
        { headers: { Host } },
      );
      const headers = { Host, 'X-Forwarded-Host': 'a.test:81, b.test' };
      await same(
        looking(req => [req.host, req.hostname], { 'trust proxy': true }),
        { headers },
      );
      await same(
        looking(req => [req.host, req.hostname]),
        { headers },
      );
    }
  });

  test('req.body: is undefined until something sets it', async () => {
    await same(looking(req => ['body' in req, req.body as unknown]));
  });

  test('req.is: malformed parameters do not hide the type', async () => {
    for (const type of [
      'text/html;;',
      'text/html; x',
      'text/html',
      'text/html; charset=utf-8',
      'text',
      'html',
      'a/b/c',
      'text /html',
      'text/html\t; x',
      'text/html+',
      'text/a.b+c.d+e',
    ]) {
      await same(
        looking(req => [req.is('html'), req.is('text/*'), req.is(['json', 'text/html'])]),
        {
          method: 'POST',
          headers: { 'Content-Type': type },
          body: 'x',
        },
      );
    }
    await same(looking(req => req.is('html')));
    await same(
      looking(req => [req.is('js'), req.is('text/javascript')]),
      {
        method: 'POST',
        headers: { 'Content-Type': 'text/javascript' },
        body: 'x',
      },
    );
  });

  test('req.accepts: knows the extensions of mime-types 3', async () => {
    for (const Accept of words(
      'text/javascript application/javascript image/vnd.microsoft.icon */* text/html',
    )) {
      await same(
        looking(req => [req.accepts('js'), req.accepts(['ico', 'html']), req.accepts()]),
        { headers: { Accept } },
      );
    }
  });

  test('req.accepts and the others: read the parameter q in every spelling, and the first of several', async () => {
    const offers = ['t/p;a=b', 't', 'u', 'u-v'];
    const look = looking(req => [
      [req.acceptsEncodings(), req.acceptsEncodings(offers)],
      [req.acceptsCharsets(), req.acceptsCharsets(offers)],
      [req.acceptsLanguages(), req.acceptsLanguages(offers)],
      [req.accepts(), req.accepts('t/p;a=b', 'u/p', 'u-v/p')],
    ]);
    const spellings = ['; q=0.5', ' ;Q = 0.5', ...words(';q="0.5" ;q=0.5;q=0 ;q=0;q=1 ;q= ;q="" ;q ;Q=-')];
    const others = [...words(';a="b,;c";q=0.5 ;a=b;a=c ;q=0.5;a=b ;A=b;q=.5 ;xq=0 ;q=1e-1 ;;Q=0.1'), '; '];
    for (const spelling of [...spellings, ...others]) {
      const list = `t${spelling}, u;q=0.6, u-v`;
      const headers = {
        'Accept-Encoding': list,
        'Accept-Charset': list,
        'Accept-Language': list,
        Accept: list.replaceAll(/\b(?:t|u|u-v)(?=;|$| ;)/g, '$&/p'),
      };
      await same(look, { headers });
    }
    // Elements without a name are not the same as no header
    for (const Accept of [';q=', ';q=;q=1', ';', ',;q=""']) await same(look, { headers: { Accept } });
  });

  test('req.accepts, req.acceptsEncodings, req.acceptsLanguages: ignore malformed elements, which Express 5 lists', async () => {
    const headers = {
      Accept: 'text/, a b/c, text/html',
      'Accept-Encoding': 'a b, *;q=x, gzip',
      'Accept-Language': '-, en-, d e, fr',
    };
    const look = looking(req => [req.accepts(), req.acceptsEncodings('x'), req.acceptsLanguages()]);
    const [ours, theirs] = await Promise.all(
      Object.values(frameworks).map(web => ask(quiet(look(web)), { headers })),
    );
    assert.equal(ours!.text.replace(/\s+/g, ' '), "[ [ 'text/html' ], false, [ 'fr' ] ]");
    assert.match(theirs!.text, /'text\/', 'a b\/c'/);
  });

  test('req.range: one malformed range invalidates the header', async () => {
    const ranges = [
      ...words(`
        bytes=a-b bytes=0-5,x bytes=0-5 bytes=0-5,10- bytes=-5 bytes=90- bytes=- bytes= x bytes=5-2
      `),
      'bytes= 0-5',
      'bytes=0-5, 7-8',
      ...words('bytes=0-5, bytes=1-2-3 bytes=100- items=0-5 bytes=0x1-5 bytes=--5'),
    ];
    for (const Range of ranges) {
      await same(
        looking(req => [req.range(50), req.range(1000, { combine: true })]),
        { headers: { Range } },
      );
    }
  });

  test('req.fresh: a tag takes precedence over a date', async () => {
    const old = 'Tue, 05 Mar 2024 06:07:08 GMT';
    const later = 'Wed, 06 Mar 2024 06:07:08 GMT';
    for (const headers of [
      { 'If-None-Match': '"a"', 'If-Modified-Since': old },
      { 'If-None-Match': '"b"', 'If-Modified-Since': later },
      { 'If-None-Match': '*', 'If-Modified-Since': old },
      { 'If-Modified-Since': later },
      { 'If-Modified-Since': old },
      { 'If-None-Match': 'W/"a"', 'Cache-Control': 'no-cache' },
    ] as Record<string, string>[]) {
      const build = serving((req, res) => {
        res.set({ ETag: '"a"', 'Last-Modified': later });
        res.send(String(req.fresh) + String(req.stale));
      });
      await same(build, { headers });
      await same(build, { method: 'POST', headers });
    }
  });

  test('req.params: unmatched parameters are absent; mergeParams adds the parents’ parameters', async () => {
    const build = (mergeParams: boolean) => (web: Web) => {
      const router = web.Router({ mergeParams });
      router.get(
        ['/c{/:c}{/:d}', '/{*rest}', /^\/r(\d)?(x)?/],
        ({ params }: web.Request, res: web.Response) =>
          void res.json([Object.keys(params), params, 'd' in params]),
      );
      return web().use(['/:a{/:b}/in', /^\/(\w)(\w)?\/rx/], router);
    };
    const paths = ['/1/in/c', '/1/2/in/c/3', '/1/in', '/1/in/x/y', '/1/in/r5', '/a/rx/r', '/ab/rx/rx'];
    for (const path of paths) for (const merge of [true, false]) await same(build(merge), path);
  });

  test('req.query: the parser may be a function; extended queries are nested and may use inherited names', async () => {
    const queries = [
      `/?a[19]=x&b[20]=x&c[999]=y&${'d=1&'.repeat(21)}${'e[]=1&'.repeat(20)}`,
      '/?a[b][]=1&a[c]=2',
      '/?hasOwnProperty=1&x[toString]=2',
      '/?a=1&a=2',
      '/?%zz&=&&a',
    ];
    for (const parser of ['extended', 'simple', true, false, (text: string) => ({ text })]) {
      for (const path of queries) {
        await same(
          looking(req => req.query, { 'query parser': parser }),
          path,
        );
      }
    }
  });

  test('events: Node emits aborted and close of a request', async () => {
    await same(
      serving((req, res) => {
        let closed = 0;
        req.on('close', () => closed++);
        res.on('finish', () => closed++);
        req.resume().on('end', () => void res.json([req.complete, closed]));
      }),
      { method: 'POST', body: 'x' },
    );
  });
});
