/** Values from the path and the query: `req.params`, `query`, `param`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NextFunction, Request, Response } from 'express';
import { answering, sameEach, sameNotices } from '../../support/compare.js';
import { alike } from '../../support/fake-request.js';
import { askPort, each, withServer } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';
import { words } from '../../support/random.js';
import { answer, mark, sameTraces, tracing } from '../../support/routing.js';

const routed = (...paths: (string | RegExp)[]) =>
  tracing(app => {
    for (const path of paths) app.get(path, mark(String(path)));
  });

describe('req.params', () => {
  test('default: is an empty object', () =>
    sameTraces(['/', '/x'], app => app.use(mark('m')).get('/x', answer)));
  test('named: parameters are properties', () =>
    sameEach(
      routed('/:id', '/users/:user/posts/:post', '/:from-:to', '/:file.:ext'),
      words('/7 /users/tobi/posts/1 /a-b /photo.jpg /a-b.c'),
    ));
  test('named: parameters may have a regular expression', () =>
    sameEach(routed('/:id(\\d+)', '/:name([a-z]{2,})', '/:x(a|b)/:y'), ['/7', '/ab', '/a/b', '/a']));
  test('optional: are undefined if they are missing', () =>
    sameEach(routed('/x/:id?', '/:a?/y/:b?', '/:all*', '/z/:some+'), words('/x /x/1 /y /1/y/2 /z/1/2/3')));
  test('numbered: groups of regular expressions are keyed by index', () =>
    sameEach(routed(/^\/(\d+)(?:-(\d+))?$/, /^\/(.*)$/, /(b)/), ['/1', '/1-2', '/any/thing', '/abc']));
  test('numbered: wildcards and unnamed groups are keyed by index', () =>
    sameEach(routed('*', '/*', '/a/*/b/*', '/(x|y)/(z)?', '/:name/*'), words('/ /a/1/b/2/3 /x/z /x/ /y')));
  test('named groups of expressions: are keyed by name', () =>
    sameEach(routed(/^\/(?<year>\d{4})-(?<month>\d\d)$/), ['/2024-05', '/x']));
  test('decoded: values are percent-decoded', () =>
    sameEach(
      routed('/:name', '*', '/:a-:b'),
      words('/a%20b /%E2%82%AC /a%2Fb /a+b /%2525 /%3F%23 /caf%c3%a9-%41'),
    ));
  test('malformed: causes an error with status 400', () =>
    sameEach(routed('/:name', '*', '/x/:id'), ['/%', '/%zz', '/%E0%A4%A', '/ok%', '/x/%c0%80']));
  test('malformed: the error has statusCode and status as own properties, in this order', () =>
    sameTraces(['/%zz'], app => {
      app.get('/:name', mark('never'));
      app.use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
        res.json(Object.entries(error));
      });
    }));
  test('malformed: reaches the error handlers after earlier layers have run', () =>
    sameTraces(['/x/%zz', '/x/1'], app => {
      app.use('/x', mark('before'));
      app.get('/x/:id', mark('never'));
      app.use('/x', mark('never'));
    }));
  test('names of Object.prototype: are ordinary parameter names', () =>
    sameEach(routed('/:constructor/:toString/:hasOwnProperty'), ['/a/b/c']));
  test('prototype: is Object.prototype, even with a parameter named __proto__', () =>
    sameTraces(['/x', '/polluted'], app => {
      app.get('/:__proto__', (req, res) => {
        res.json([
          Object.getPrototypeOf(req.params) === Object.prototype,
          ({} as Record<string, unknown>).x,
          (req.params as Record<string, string>).x,
        ]);
      });
    }));
  test('the same name twice: the last group that matched wins', () =>
    sameEach(routed('/:id/:id', '/:id/x/:id?', '/:a?/y/:a?'), ['/1/2', '/1/x', '/1/x/2', '/y/2', '/1/y']));
  test('changes: are visible in one layer only', () =>
    sameTraces(['/x', '/y'], app => {
      app.use('/:id', (req, _res, next) => {
        req.params.id = 'changed';
        (req.params as Record<string, string>).added = 'added';
        next();
      });
      app.use('/:id', mark('later'));
      app.get('/:name', (req, _res, next) => {
        req.params = { replaced: 'yes' } as never;
        next();
      });
      app.get('/:name', mark('route'));
      app.get('/x', mark('no parameters'));
    }));
  test('changes: made for one request are not seen by the next', async () => {
    for (const web of Object.values(frameworks)) {
      const app = web();
      app.use((req, _res, next) => {
        (req.params as Record<string, string>).seen ??= String(Object.keys(req.params).length);
        assert.deepEqual(req.params, { seen: '0' });
        next();
      });
      app.get('/x', (req, res) => {
        assert.deepEqual(req.params, {});
        (req.params as Record<string, string>).left = 'behind';
        res.send('x');
      });
      await withServer(app, async port => {
        for (let i = 0; i < 3; i++) assert.equal((await askPort(port, '/x')).text, 'x');
      });
    }
  });
  test('handlers of one route: share the same object', () =>
    sameTraces(['/7'], app => {
      app.get(
        '/:id',
        (req, _res, next) => {
          req.params.id = `${req.params.id} changed`;
          next();
        },
        answer,
      );
    }));
  test('mounted router: has its own parameters, and the outer ones are restored afterwards', () =>
    sameTraces(['/a/b', '/a'], (app, web) => {
      const router = web.Router();
      router.get('/:inner', mark('inner'));
      app.use('/:outer', mark('before'), router, mark('after'));
    }));
  test('error handlers: see the parameters of their own path', () =>
    sameTraces(['/7'], app => {
      app.get('/:id', mark('fails', new Error('no')));
    }));
});

const echo = answering((req, res) => res.json(req.query));
const query = async (path: string) => JSON.parse((await same(echo, path)).text) as unknown;

/** Returns the result of the parser for nested queries, which must be enabled in Express 5. */
const extended = async (path: string) =>
  JSON.parse((await same(web => echo(web).set('query parser', 'extended'), path)).text) as unknown;

describe('req.query', () => {
  test('default parser: is extended', async () => {
    assert.deepEqual(await query('/?a[b]=c&d[]=e&f=g&f=h'), { a: { b: 'c' }, d: ['e'], f: ['g', 'h'] });
  });

  test('no query, empty query: is an empty object', async () => {
    for (const path of ['/', '/?', '/?&', '/#?a=b', '*']) assert.deepEqual(await query(path), {}, path);
  });

  test('fragment, absolute form, second question mark: the query runs from the first question mark to the fragment', async () => {
    assert.deepEqual(await query('/?a=b#c=d'), { a: 'b' });
    assert.deepEqual(await query('http://example.com/x?a=b'), { a: 'b' });
    assert.deepEqual(await query('http://example.com?a=b'), { a: 'b' });
    assert.deepEqual(await query('/?a=b?c'), { a: 'b?c' });
  });

  test('field: is own, enumerable, writable and deletable', async () => {
    const answer = await same(
      answering((req, res) => {
        const flags = { ...Object.getOwnPropertyDescriptor(req, 'query'), value: null };
        const listed = Object.keys(req).includes('query');
        const copied = { ...req }.query;
        req.query = { own: '1' };
        const assigned = req.query;
        delete (req as { query?: object }).query;
        res.json([flags, listed, copied, assigned, req.query === undefined]);
      }),
      '/?a=b',
    );
    const flags = { value: null, writable: true, enumerable: true, configurable: true };
    assert.deepEqual(JSON.parse(answer.text), [flags, true, { a: 'b' }, { own: '1' }, true]);
  });

  test('defined anew: the new definition stays, in mounted applications too', async () => {
    await same(web => {
      const app = web();
      const child = web();
      child.set('query parser', 'simple');
      app.use((req, _res, next) => {
        Object.defineProperty(req, 'query', { value: { fixed: '1' }, configurable: true });
        next();
      });
      child.get('/', (req, res) => res.json(req.query));
      app.use('/child', child);
      return app;
    }, '/child?a=b');
  });

  test('mounted application: gets the query that the parent has parsed', async () => {
    const answers = await sameEach(
      web => {
        const app = web();
        const child = web();
        child.set('query parser', 'simple');
        child.get('/', (req, res) => res.json(req.query));
        app.use('/child', child);
        app.use('/emptied', (req, _res, next) => {
          req.query = null as never;
          next();
        });
        app.use('/emptied', child);
        return app;
      },
      ['/child?a[b]=c', '/emptied?a[b]=c'],
    );
    assert.deepEqual(each(answers, 'text'), ['{"a":{"b":"c"}}', '{"a[b]":"c"}']);
  });

  test('set before: keeps the value and does not parse the query', async () => {
    const answer = await same(web => {
      const app = web();
      app.get('/', (req, res) => res.json(req.query));
      const outer = (req: unknown, res: unknown) => {
        (req as { query: object }).query = { before: '1' };
        app(req as never, res as never);
      };
      return outer as unknown as typeof app;
    }, '/?a=b');
    assert.equal(answer.text, '{"before":"1"}');
  });

  test('rewritten URL: keeps the query of the original URL', async () => {
    const answer = await same(web => {
      const app = web();
      app.use((req, _res, next) => {
        req.url = '/b?c=d';
        next();
      });
      app.get('/b', (req, res) => res.json(req.query));
      return app;
    }, '/a?a=b');
    assert.equal(answer.text, '{"a":"b"}');
  });

  test('CVE-2022-24999: __proto__ is ignored', async () => {
    assert.deepEqual(await extended('/?a[__proto__]=b&a[length]=100000000'), { a: { length: '100000000' } });
  });

  test('CVE-2025-15284: indexes of 1000 and above make an object, and holes in arrays are removed', async () => {
    assert.deepEqual(await extended('/?a[1000]=x&b[999]=y&b[998]=z'), { a: { 1000: 'x' }, b: ['z', 'y'] });
    const parsed = (await extended(`/?a[5]=0&a[1000]=0${'&a[]=1'.repeat(998)}`)) as { a: object };
    assert.equal(Array.isArray(parsed.a), false);
  });
});

/** Calls `req.param` on a request with these values. */
function param(
  values: Partial<Record<'params' | 'body' | 'query', unknown>>,
  ...args: [name: string, other?: unknown]
) {
  return alike({}, req => (Object.assign(req, values) as Request).param(...args));
}

describe('req.param', () => {
  // The deprecation warnings are asserted below; without a listener, these tests would print one for each call.
  process.on('deprecation' as never, () => undefined);

  test('name: is looked up in params, then body, then query', () => {
    const [params, body, query] = [
      { a: 'params' },
      { a: 'body', b: 'body' },
      { a: 'query', b: 'query', c: 'query' },
    ];
    assert.equal(param({ params, body, query }, 'a'), 'params');
    assert.equal(param({ params, body, query }, 'b'), 'body');
    assert.equal(param({ params, body, query }, 'c'), 'query');
  });

  test('name: null and undefined count as not found, other values as found', () => {
    assert.equal(param({ params: { a: null }, query: { a: 'query' } }, 'a'), 'query');
    assert.equal(param({ params: { a: undefined }, body: { a: null }, query: {} }, 'a', 'other'), 'other');
    assert.equal(param({ params: { a: '' } }, 'a', 'other'), '');
    assert.equal(param({ body: { a: 0 } }, 'a', 'other'), 0);
  });

  test('name: inherited properties of params are not found', () => {
    assert.equal(param({ params: Object.create({ a: 'inherited' }) }, 'a'), undefined);
  });

  test('defaultValue: is returned when nothing is found', () => {
    assert.equal(param({}, 'a', 'other'), 'other');
    assert.equal(param({ params: {}, body: {}, query: {} }, 'a', 5), 5);
    assert.equal(param({}, 'a'), undefined);
    assert.equal(param({ body: null }, 'a', 'other'), 'other');
    assert.equal(param({ body: 'text' }, 'length'), 4);
  });

  test('deprecated: warns once for each call site, with the form of the call', async () => {
    const notices = await sameNotices(
      web => web().get('/:a', (req, res) => void res.json([req.param('a'), req.param('b', 'other')])),
      '/x',
    );
    assert.deepEqual(notices, [
      'req.param(name): Use req.params, req.body, or req.query instead',
      'req.param(name, default): Use req.params, req.body, or req.query instead',
    ]);
  });
});
