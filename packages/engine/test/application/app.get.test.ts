/** `app.get(name)`: reads a setting. Its use as a routing method is tested in app.METHOD. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

const both = Object.entries(frameworks) as [string, Web][];

describe('app.get', () => {
  for (const [framework, web] of both) {
    test(`name: returns the value of the setting (${framework})`, () => {
      assert.equal(web().set('title', 'My site').get('title'), 'My site');
      assert.equal(web().get('subdomain offset'), 2);
    });
    test(`not set: returns undefined (${framework})`, () => {
      assert.equal(web().get('title'), undefined);
      assert.equal(web().get('constructor'), undefined);
    });
    test(`replaced set: is called (${framework})`, () => {
      const app = web();
      const asked: unknown[] = [];
      (app as { set: unknown }).set = (...args: unknown[]) => {
        asked.push(args);
        return 'from set';
      };
      assert.equal(app.get('title'), 'from set');
      assert.deepEqual(asked, [['title']]);
    });
    test(`path and handler: registers a route (${framework})`, async () => {
      const app = web().get('/title', (_req, res) => void res.send('routed'));
      assert.equal((await ask(app, '/title')).text, 'routed');
    });
  }
});
