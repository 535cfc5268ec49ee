/** Variables for views, of the application and of a response. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { found, frameworks, looking, same } from './support/oracle.js';

const { ristretto3: web } = frameworks;

describe('app.locals', () => {
  test('function: takes properties in, and hands the object back', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      const values = { title: 'Blog', email: 'a@b.c' };
      assert.equal(typeof app.locals, 'function');
      assert.equal(app.locals(values), values);
      app.locals.year = 2013;
      assert.deepEqual(Object.keys(app.locals), ['settings', 'title', 'email', 'year']);
      assert.equal(app.locals.title, 'Blog');
    }
  });

  test('settings: the only local at first', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      assert.deepEqual(Object.keys(app.locals), ['settings']);
      assert.equal(app.locals.settings, app.settings);
    }
  });

  test('reserved: names that functions have are not taken, and nothing breaks', () => {
    for (const framework of Object.values(frameworks)) {
      const { locals } = framework();
      locals({ name: 'x', length: 9, a: 1 });
      assert.deepEqual([locals.name, locals.a, typeof locals.call], ['locals', 1, 'function']);
    }
  });

  test('values: what is no object is handed back and ignored', () => {
    for (const value of [undefined, null, 5]) {
      const { locals } = web();
      assert.equal(locals(value), value);
      assert.deepEqual(Object.keys(locals), ['settings']);
    }
  });

  test('prototype: a property __proto__ does not become it', () => {
    const { locals } = web();
    locals(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'));
    assert.equal(locals.polluted, undefined);
    assert.equal(Object.getPrototypeOf(locals), Function.prototype);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('sub-app: has its own', () => {
    const [app, child] = [web(), web()];
    app.locals({ a: 1 });
    app.use('/child', child);
    assert.equal(child.locals.a, undefined);
  });
});

describe('res.locals', () => {
  test('function: takes properties in; each answer has its own', async () => {
    const look = looking((_req, res) => {
      const before = Object.keys(res.locals);
      const values = { a: 1 };
      const returned = res.locals(values) === values;
      res.locals.b = 2;
      return [typeof res.locals, before, returned, res.locals.a, res.locals.b];
    });
    assert.equal((await same(look)).text, "[ 'function', [], true, 1, 2 ]");
    assert.deepEqual(await found((_req, res) => Object.keys(res.locals)), []);
  });

  test('assignment: replaces them', async () => {
    assert.deepEqual(
      await found((_req, res) => {
        res.locals = { mine: 1 } as never;
        return res.locals;
      }),
      { mine: 1 },
    );
  });
});
