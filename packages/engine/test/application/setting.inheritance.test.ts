/** The settings that a sub-application inherits: those without a default, and `trust proxy`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

/** Every setting of the table with a non-default value, and whether it is inherited. */
const table: [name: string, value: unknown, inherited: boolean][] = [
  ['case sensitive routing', true, true],
  ['env', 'other', false],
  ['etag', false, false],
  ['jsonp callback name', 'cb', false],
  ['json escape', true, true],
  ['json replacer', ['a'], true],
  ['json spaces', 4, true],
  ['query parser', false, false],
  ['strict routing', true, true],
  ['subdomain offset', 3, false],
  ['trust proxy', 'loopback', true],
  ['views', '/other', false],
  ['view engine', 'pug', true],
  ['x-powered-by', false, false],
  ['custom setting', 'value', true],
];

/** Runs `use` with `NODE_ENV=production`. */
function inProduction<T>(use: () => T): T {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return use();
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

describe('setting inheritance', () => {
  for (const [framework, web] of Object.entries(frameworks) as [string, Web][]) {
    for (const [name, value, inherited] of table) {
      test(`${name}: is ${inherited ? '' : 'not '}inherited (${framework})`, () => {
        const sub = web();
        const own: unknown = sub.get(name);
        const app = web().set(name, value).use(sub);
        assert.deepEqual(sub.get(name), inherited ? value : own);
        // Later changes are inherited too
        app.set(name, value === true ? 1 : value);
        assert.deepEqual(sub.get(name), inherited ? (value === true ? 1 : value) : own);
      });
      test(`${name}: a value set on the sub-app is kept (${framework})`, () => {
        const sub = web().set(name, value);
        web().use(sub);
        assert.deepEqual(sub.get(name), value);
      });
    }
    test(`view cache: is inherited outside of production, where it has no default (${framework})`, () => {
      const sub = web();
      web().enable('view cache').use(sub);
      assert.equal(sub.get('view cache'), true);
    });
    test(`view cache: is not inherited in production (${framework})`, () => {
      const sub = inProduction(() => web());
      web().disable('view cache').use(sub);
      assert.equal(sub.get('view cache'), true);
    });
    test(`trust proxy: works in the sub-app (${framework})`, async () => {
      const sub = web().get('/', (req, res) => void res.send(req.ip));
      const app = web().enable('trust proxy').use(sub);
      assert.equal((await ask(app, { headers: { 'X-Forwarded-For': '192.0.2.7' } })).text, '192.0.2.7');
    });
    test(`trust proxy: its default value is kept if it is set on the sub-app (${framework})`, () => {
      const sub = web().set('trust proxy', false);
      web().enable('trust proxy').use(sub);
      assert.equal(sub.get('trust proxy'), false);
    });
    test(`trust proxy: a value that the parent sets after the mount is inherited (${framework})`, () => {
      const sub = web();
      const app = web().use(sub);
      app.set('trust proxy', 2);
      assert.equal(sub.get('trust proxy'), 2);
    });
    test(`trust proxy: is inherited through three levels (${framework})`, () => {
      const inner = web();
      const middle = web().use(inner);
      web().set('trust proxy', 'uniquelocal').use(middle);
      assert.equal(inner.get('trust proxy'), 'uniquelocal');
    });
    test(`trust proxy: is not inherited from a parent without the compiled form (${framework})`, () => {
      const sub = web();
      const app = web();
      (app as unknown as { settings: Record<string, unknown> }).settings['trust proxy fn'] = undefined;
      app.use(sub);
      assert.equal(sub.get('trust proxy'), false);
    });
    test(`parent: does not see settings of the sub-app (${framework})`, () => {
      const app = web();
      app.use(web().set('json spaces', 2));
      assert.equal(app.get('json spaces'), undefined);
    });
    test(`mounted twice: the last parent counts (${framework})`, () => {
      const sub = web();
      web().set('title', 'first').use(sub);
      web().set('title', 'second').use(sub);
      assert.equal(sub.get('title'), 'second');
    });
    test(`engines: are inherited (${framework})`, () => {
      const sub = web() as unknown as { engines: Record<string, unknown> };
      const engine = (): void => undefined;
      web()
        .engine('tmpl', engine)
        .use(sub as never);
      assert.equal(sub.engines['.tmpl'], engine);
    });
    test(`request and response: extensions of the parent are inherited (${framework})`, async () => {
      const app = web();
      const sub = web().get('/', (req, res) => {
        res.send(`${(req as unknown as { mark: string }).mark} ${(res as unknown as { mark: string }).mark}`);
      });
      app.use(sub);
      const prototypes = app as unknown as { request: { mark: string }; response: { mark: string } };
      prototypes.request.mark = 'request';
      prototypes.response.mark = 'response';
      assert.equal((await ask(app)).text, 'request response');
    });
  }
});
