/** `req.app`: the application that handles the request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../../support/http.js';
import { frameworks } from '../../support/oracle.js';
import type { Web } from '../../support/oracle.js';

describe('req.app', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    test(`middleware and handlers: read the application itself (${framework})`, async () => {
      const app = web();
      app.use((req, _res, next) => {
        assert.equal(req.app, app);
        next();
      });
      app.get('/', (req, res) => void res.json(req.app === app));
      assert.equal((await ask(app)).text, 'true');
    });
    test(`sub-application: is the inner application inside, and the outer application before and after (${framework})`, async () => {
      const app = web();
      const sub = web();
      const seen: unknown[] = [];
      sub.use((req, _res, next) => {
        seen.push(req.app === sub);
        next();
      });
      app.use((req, _res, next) => {
        seen.push(req.app === app);
        next();
      });
      app.use(sub);
      app.use((req, res) => void res.json([...seen, req.app === app]));
      assert.equal((await ask(app)).text, '[true,true,true]');
    });
    test(`error from a sub-application: outer error handlers see the outer application (${framework})`, async () => {
      const app = web();
      app.use(web().use((_req, _res, next) => next('bad')));
      app.use(
        ((_err: unknown, req: { app: unknown }, res: { json(v: unknown): void }, _next: unknown) =>
          void res.json(req.app === app)) as never,
      );
      assert.equal((await ask(app)).text, 'true');
    });
    test(`after a while: remains the sub-application while the request is in it (${framework})`, async () => {
      const app = web();
      const sub = web();
      sub.get('/', (req, res) => void setImmediate(() => res.json(req.app === sub && res.app === sub)));
      app.use(sub);
      assert.equal((await ask(app)).text, 'true');
    });
    test(`locals, settings: are available through it (${framework})`, async () => {
      const app = web().set('title', 'My site');
      app.locals.count = 1;
      app.get('/', (req, res) => void res.json([req.app.get('title'), req.app.locals.count]));
      assert.equal((await ask(app)).text, '["My site",1]');
    });
    test(`prototype: has app as an enumerable property (${framework})`, () => {
      const { request } = web() as unknown as { request: { app: unknown } };
      const app = web() as unknown as { request: { app: unknown } };
      assert.equal(app.request.app, app);
      assert.notEqual(request.app, app);
      assert.deepEqual(Object.keys(app.request), ['app']);
    });
  }
});
