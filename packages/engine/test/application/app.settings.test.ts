/** `app.settings`: the store of the settings, with the defaults. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { KNOWN } from '@ristretto/private-engine/lib/dev/setting-names.js';
import web from 'ristretto';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const settings = (framework: Web): Record<string, unknown> =>
  (framework() as unknown as { settings: Record<string, unknown> }).settings;

describe('app.settings', () => {
  test('names: are the same as in Express, in the same order', () => {
    assert.deepEqual(Object.keys(settings(frameworks.ristretto)), Object.keys(settings(frameworks.express)));
  });
  test('defaults: are the same as in Express, except for functions', () => {
    const plain = (framework: Web) =>
      Object.entries(settings(framework)).map(([name, value]) => [
        name,
        typeof value === 'function' ? 'function' : value,
      ]);
    assert.deepEqual(plain(frameworks.ristretto), plain(frameworks.express));
  });
  test('defaults: match the table of settings', () => {
    const own = settings(frameworks.ristretto);
    assert.equal(own['case sensitive routing'], undefined);
    assert.equal(own['strict routing'], undefined);
    assert.equal(own['json escape'], undefined);
    assert.equal(own['json replacer'], undefined);
    assert.equal(own['json spaces'], undefined);
    assert.equal(own['view engine'], undefined);
    assert.equal(own['jsonp callback name'], 'callback');
    assert.equal(own['query parser'], 'extended');
    assert.equal(own['subdomain offset'], 2);
    assert.equal(own['trust proxy'], false);
    assert.equal(own.etag, 'weak');
    assert.equal(own['x-powered-by'], true);
    assert.equal(own.views, path.resolve('views'));
  });
  test('any name: settings that Express lacks have names with a space', () => {
    const ofExpress = ['env', 'etag', 'view', 'views', 'x-powered-by'];
    const plain = Object.keys(KNOWN).filter(name => !name.includes(' '));
    assert.deepEqual(plain.sort(), ofExpress);
    const own = { 404: 'gone' };
    for (const name of ['errors', 'warnings']) assert.equal(web().set(name, own).get(name), own);
  });

  test('any name: can be stored', () => {
    const app = web();
    app.set('my own setting', 42);
    assert.equal((app as unknown as { settings: Record<string, unknown> }).settings['my own setting'], 42);
  });
  test('assigned store: is used by later writes and reads', async () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework() as ReturnType<Web> & { settings: Record<string, unknown> };
      app.settings = Object.assign(Object.create(app.settings) as object, { 'json spaces': 1 });
      app.get('/', (_req, res) => void res.json({ a: 1 }));
      assert.equal(app.get('json spaces'), 1);
      assert.equal(app.get('etag'), 'weak');
      assert.equal((await ask(app)).text, '{\n "a": 1\n}');
    }
  });
  test('own per application: shares nothing with other applications', () => {
    const first = web().set('title', 'first');
    assert.equal(web().get('title'), undefined);
    assert.equal(first.get('title'), 'first');
  });
});
