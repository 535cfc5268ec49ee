/** Settings, and their defaults in 3.x. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { answering, frameworks, same } from './support/oracle.js';

const { ristretto3: web } = frameworks;
const { NODE_ENV } = process.env;

afterEach(() => {
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
});

/** Returns the default of a setting in an environment, which must be the same in both frameworks. */
function atStart(env: string | undefined, name: string): unknown {
  if (env === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = env;
  const [ours, theirs] = Object.values(frameworks).map(framework => framework().get(name) as unknown);
  assert.deepEqual(ours, theirs, name);
  return ours;
}

describe('settings', () => {
  test('env: is NODE_ENV, or development by default', () => {
    assert.equal(atStart(undefined, 'env'), 'development');
    assert.equal(atStart('staging', 'env'), 'staging');
  });

  test('json spaces: is 2 in development, otherwise not set', async () => {
    assert.equal(atStart('development', 'json spaces'), 2);
    assert.equal(atStart('production', 'json spaces'), undefined);
    process.env.NODE_ENV = 'development';
    const build = answering((_req, res) => res.json({ a: [1] }));
    assert.equal((await same(build)).text, '{\n  "a": [\n    1\n  ]\n}');
    process.env.NODE_ENV = 'production';
    assert.equal((await same(build)).text, '{"a":[1]}');
  });

  test('json replacer: is not set by default; is passed to JSON.stringify', async () => {
    assert.equal(atStart(undefined, 'json replacer'), undefined);
    const replace = (key: string, value: unknown) => (key.startsWith('_') ? undefined : value);
    const settings = { 'json replacer': replace, 'json spaces': 0 };
    assert.equal((await same(answering((_req, res) => res.json({ a: 1, _b: 2 }), settings))).text, '{"a":1}');
  });

  test('trust proxy: is disabled', () => {
    assert.equal(atStart(undefined, 'trust proxy'), false);
  });

  test('jsonp callback name: is callback', async () => {
    assert.equal(atStart(undefined, 'jsonp callback name'), 'callback');
    const build = answering((_req, res) => res.jsonp(1), { 'jsonp callback name': 'cb' });
    assert.match((await same(build, '/?cb=f')).text, /f\(1\);$/);
  });

  test('views: is the views folder of the working directory', () => {
    assert.equal(atStart(undefined, 'views'), path.resolve('views'));
  });

  test('view cache: is enabled in production', () => {
    assert.equal(atStart('production', 'view cache'), true);
    assert.equal(atStart('development', 'view cache'), undefined);
  });

  test('case sensitive routing, strict routing, view engine: are not set', () => {
    for (const name of ['case sensitive routing', 'strict routing', 'view engine']) {
      assert.equal(atStart(undefined, name), undefined);
    }
  });

  test('others: have the defaults of the oracle', () => {
    for (const name of ['x-powered-by', 'etag', 'subdomain offset']) atStart(undefined, name);
  });

  test('enable, disable, enabled, disabled, set: work as in 4.x', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      assert.equal(app.enable('a').disable('b').set('c', 0), app);
      assert.deepEqual(
        [app.get('a'), app.enabled('a'), app.disabled('b'), app.disabled('c')],
        [true, true, true, true],
      );
    }
    assert.equal(web().set('env'), web().get('env'));
  });
});
