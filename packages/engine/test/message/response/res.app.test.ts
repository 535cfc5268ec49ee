/** `res.app`: the same as `req.app`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../support/http.js';
import { frameworks } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';

describe('res.app', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`middleware and handlers: get the application itself (${framework})`, async () => {
      const app = web();
      app.use((_req, res, next) => {
        assert.equal(res.app, app);
        next();
      });
      app.get('/', (_req, res) => void res.json(res.app === app));
      assert.equal((await ask(app)).text, 'true');
    });
    test(`sub-application: is the inner application inside, and the outer application before and after (${framework})`, async () => {
      const app = web();
      const sub = web();
      const seen: unknown[] = [];
      sub.use((_req, res, next) => {
        seen.push(res.app === sub);
        next();
      });
      app.use((_req, res, next) => {
        seen.push(res.app === app);
        next();
      });
      app.use(sub);
      app.use((_req, res) => void res.json([...seen, res.app === app]));
      assert.equal((await ask(app)).text, '[true,true,true]');
    });
    test(`error from a sub-application: outer error handlers see the outer application (${framework})`, async () => {
      const app = web();
      app.use(web().use((_req, _res, next) => next('bad')));
      app.use(
        ((_err: unknown, _req: unknown, res: { app: unknown; json(v: unknown): void }, _next: unknown) =>
          void res.json(res.app === app)) as never,
      );
      assert.equal((await ask(app)).text, 'true');
    });
    test(`after a while: is still the sub-application for a request that is in it (${framework})`, async () => {
      const app = web();
      const sub = web();
      sub.get('/', (_req, res) => void setImmediate(() => res.json(res.app === sub)));
      app.use(sub);
      assert.equal((await ask(app)).text, 'true');
    });
    test(`locals, settings: are accessible through it (${framework})`, async () => {
      const app = web().set('title', 'My site');
      app.locals.count = 1;
      app.get('/', (_req, res) => void res.json([res.app.get('title'), res.app.locals.count]));
      assert.equal((await ask(app)).text, '["My site",1]');
    });
    test(`prototype: has app as an enumerable property (${framework})`, () => {
      const { response } = web() as unknown as { response: { app: unknown } };
      const app = web() as unknown as { response: { app: unknown } };
      assert.equal(app.response.app, app);
      assert.notEqual(response.app, app);
      assert.ok(Object.keys(app.response).includes('app'));
    });
  }
});
