/** `req.query`: the parsed query string, shared with mounted applications and replaceable by middleware. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

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
    assert.deepEqual(
      answers.map(answer => answer.text),
      ['{"a":{"b":"c"}}', '{"a[b]":"c"}'],
    );
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
