/** Variables for views, of the application and of a response. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { found, frameworks, looking, same } from './support/oracle.js';

const { ristretto3: web } = frameworks;

describe('app.locals', () => {
  test('function: assigns the given properties and returns the given object', () => {
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

  test('settings: is the only local at first', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      assert.deepEqual(Object.keys(app.locals), ['settings']);
      assert.equal(app.locals.settings, app.settings);
    }
  });

  test('reserved: names of function properties are not assigned, and nothing breaks', () => {
    for (const framework of Object.values(frameworks)) {
      const { locals } = framework();
      locals({ name: 'x', length: 9, a: 1 });
      assert.deepEqual([locals.name, locals.a, typeof locals.call], ['locals', 1, 'function']);
    }
  });

  test('values: a value that is not an object is returned and ignored', () => {
    for (const value of [undefined, null, 5]) {
      const { locals } = web();
      assert.equal(locals(value), value);
      assert.deepEqual(Object.keys(locals), ['settings']);
    }
  });

  test('prototype: is not replaced by a property __proto__', () => {
    const { locals } = web();
    locals(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'));
    assert.equal(locals.polluted, undefined);
    assert.equal(Object.getPrototypeOf(locals), Function.prototype);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
  });

  test('sub-app: has its own locals', () => {
    const [app, child] = [web(), web()];
    app.locals({ a: 1 });
    app.use('/child', child);
    assert.equal(child.locals.a, undefined);
  });
});

describe('res.locals', () => {
  test('function: assigns properties; each response has its own locals', async () => {
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

  test('assignment: replaces the locals', async () => {
    assert.deepEqual(
      await found((_req, res) => {
        res.locals = { mine: 1 } as never;
        return res.locals;
      }),
      { mine: 1 },
    );
  });
});
