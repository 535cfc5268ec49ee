/** `app.locals`: variables for all templates of an application. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask, askPort, withServer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

describe('app.locals', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`settings: is the only initial property (${framework})`, () => {
      const app = web();
      assert.deepEqual(Object.keys(app.locals), ['settings']);
      assert.equal(app.locals.settings, (app as unknown as { settings: unknown }).settings);
    });
    test(`prototype: is null, so that every name is free (${framework})`, () => {
      assert.equal(Object.getPrototypeOf(web().locals), null);
      assert.equal(web().locals.constructor, undefined);
    });
    test(`req.app.locals: is the same object (${framework})`, async () => {
      const app = web();
      app.locals.title = 'My site';
      app.get('/', (req, res) => void res.json([req.app.locals === app.locals, req.app.locals.title]));
      assert.equal((await ask(app)).text, '[true,"My site"]');
    });
    test(`life: persists between requests (${framework})`, async () => {
      const app = web();
      app.locals.count = 0;
      app.get('/', (req, res) => void res.send(String(++req.app.locals.count)));
      await withServer(app, async port => {
        assert.equal((await askPort(port)).text, '1');
        assert.equal((await askPort(port)).text, '2');
      });
    });
    test(`sub-app: has its own locals (${framework})`, () => {
      const app = web();
      const sub = web();
      app.locals.title = 'outer';
      app.use(sub);
      assert.equal(sub.locals.title, undefined);
      assert.equal(sub.locals.settings, (sub as unknown as { settings: unknown }).settings);
    });
    test(`templates: can read app.locals; res.locals take precedence (${framework})`, async () => {
      const app = web().set('env', 'test');
      app.set('view', function view(this: Record<string, unknown>, name: string) {
        this.path = name;
        this.render = (options: Record<string, unknown>, done: (err: null, text: string) => void) => {
          done(null, `${String(options.a)} ${String(options.b)} ${String(options.c)}`);
        };
      });
      Object.assign(app.locals, { a: 'app', b: 'app', c: 'app' });
      app.get('/', (_req, res) => {
        Object.assign(res.locals, { b: 'res', c: 'res' });
        res.render('any', { c: 'own' });
      });
      assert.equal((await ask(app)).text, 'app res own');
    });
  }
});
