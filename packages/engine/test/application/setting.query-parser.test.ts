/** The setting `query parser`: selects the parser of `req.query`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import five from 'ristretto5';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { answering, sameEach } from '../support/compare.js';
import { frameworks, same } from '../support/oracle.js';

const PATHS = ['/', '/?', '/?a[b]=c&d=1&d=2', '/?a.b=1#x', '/?%zz=+'];
const parsed = async (value: unknown) => {
  const show = answering(
    (req, res) => res.json([req.query, Object.getPrototypeOf(req.query) === null]),
    value === undefined ? {} : { 'query parser': value },
  );
  return (await sameEach(show, PATHS)).map(answer => JSON.parse(answer.text) as unknown);
};

describe('setting query parser', () => {
  test('default: is extended', async () => {
    assert.equal(frameworks.ristretto().get('query parser'), 'extended');
    assert.deepEqual(await parsed(undefined), await parsed('extended'));
  });

  test('extended: parses nested keys', async () => {
    assert.deepEqual((await parsed('extended'))[2], [{ a: { b: 'c' }, d: ['1', '2'] }, false]);
  });

  test('simple, true: parse flat keys into an object without a prototype', async () => {
    for (const value of ['simple', true]) {
      assert.deepEqual((await parsed(value))[2], [{ 'a[b]': 'c', d: ['1', '2'] }, true]);
    }
  });

  test('false: disables parsing', async () => {
    assert.deepEqual((await parsed(false))[2], [{}, false]);
  });

  test('function: gets the query, or null if there is none', async () => {
    const seen = await parsed((query: unknown) => ({ query }));
    assert.deepEqual(seen[0], [{ query: null }, false]);
    assert.deepEqual(seen[1], [{ query: '' }, false]);
    assert.deepEqual(seen[2], [{ query: 'a[b]=c&d=1&d=2' }, false]);
  });

  test('limits: the extended parser accepts its limits in 4.x and 5.x; other names throw', async () => {
    const [many, deep] = ['/?' + 'a=1&'.repeat(25), '/?a[b][c]=1'];
    const read = async (make: typeof web, value: unknown, path: string): Promise<unknown> => {
      const app = make().set('query parser', value as never);
      app.get('/', (req, res) => res.json(req.query));
      return JSON.parse((await ask(app, path)).text) as unknown;
    };
    for (const make of [web, five as unknown as typeof web]) {
      const { a } = (await read(make, {}, many)) as { a: unknown[] };
      assert.deepEqual([Array.isArray(a), a.length], [true, 25]);
      const limited = (await read(make, { arrayLimit: 24 }, many)) as { a: unknown };
      assert.equal(Array.isArray(limited.a), false);
      assert.deepEqual(await read(make, { depth: 1 }, deep), { a: { b: { '[c]': '1' } } });
      assert.deepEqual(await read(make, { parameterLimit: 2 }, many), { a: ['1', '1'] });
      assert.throws(() => make().set('query parser', { delimiter: ';' } as never), {
        name: 'TypeError',
        message:
          /^the setting 'query parser' has no option 'delimiter': pass a function, such as text => qs\.parse/,
      });
      assert.throws(() => make().set('query parser', ['simple'] as never), /unknown value for query parser/);
    }
    const { a } = (await read(five as unknown as typeof web, 'extended', many)) as { a: unknown };
    assert.equal(Array.isArray(a), false);
  });

  test('function that throws: the error reaches the error handlers', async () => {
    const failing = answering((_req, res) => res.send('not reached'), {
      'query parser': () => {
        throw new RangeError('no such query');
      },
    });
    assert.match((await same(failing, '/?a')).text, /^RangeError: no such query/);
  });

  test('set after the first handler: has no effect', async () => {
    const answer = await same(web => {
      const app = web();
      app.get('/', (req, res) => res.json(req.query));
      app.set('query parser', 'simple');
      return app;
    }, '/?a[b]=c');
    assert.equal(answer.text, '{"a":{"b":"c"}}');
  });

  test('other values: throw a TypeError', () => {
    for (const value of ['bogus', 5, null, '']) {
      for (const web of Object.values(frameworks)) {
        const message = `unknown value for query parser function: ${String(value)}`;
        assert.throws(() => web().set('query parser', value as never), { name: 'TypeError', message });
      }
    }
  });
});
