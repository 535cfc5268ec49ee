/** Settings, and `app.configure`. */
import assert from 'node:assert/strict';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { describe, test } from 'node:test';
import base from 'ristretto';
import { ask } from '../../engine/test/support/http.js';
import manifest from '../package.json';
import { inEnvironment } from '../../engine/test/support/environment.js';
import { answering, frameworks, same } from './support/oracle.js';
import type { App, Web } from './support/oracle.js';

/** Settings, and their defaults in 3.x. */
describe('settings', () => {
  const { ristretto3: web } = frameworks;

  for (const [env, name, value] of [
    [undefined, 'env', 'development'],
    ['staging', 'env', 'staging'],
    ['development', 'json spaces', 2],
    ['production', 'json spaces', undefined],
    ['production', 'view cache', true],
    ['development', 'view cache', undefined],
    [undefined, 'views', path.resolve('views')],
    [undefined, 'trust proxy', false],
    [undefined, 'jsonp callback name', 'callback'],
    [undefined, 'json replacer', undefined],
    [undefined, 'case sensitive routing', undefined],
    [undefined, 'strict routing', undefined],
    [undefined, 'view engine', undefined],
    [undefined, 'subdomain offset', 2],
    [undefined, 'x-powered-by', true],
    [undefined, 'etag', 'weak'],
  ] as const) {
    test(`${name}: is ${String(value)} by default${env === undefined ? '' : ` in ${env}`}`, () => {
      for (const framework of Object.values(frameworks)) {
        const found = inEnvironment({ NODE_ENV: env }, () => framework().get(name) as unknown);
        assert.equal(found, value);
      }
    });
  }

  test('json spaces: is used for JSON', async () => {
    const sent = (env: string) =>
      inEnvironment({ NODE_ENV: env }, async () => {
        return (await same(answering((_req, res) => res.json({ a: [1] })))).text;
      });
    assert.equal(await sent('development'), '{\n  "a": [\n    1\n  ]\n}');
    assert.equal(await sent('production'), '{"a":[1]}');
  });

  test('json replacer: is passed to JSON.stringify', async () => {
    const replace = (key: string, value: unknown) => (key.startsWith('_') ? undefined : value);
    const settings = { 'json replacer': replace, 'json spaces': 0 };
    assert.equal((await same(answering((_req, res) => res.json({ a: 1, _b: 2 }), settings))).text, '{"a":1}');
  });

  test('jsonp callback name: is the name of the parameter', async () => {
    const build = answering((_req, res) => res.jsonp(1), { 'jsonp callback name': 'cb' });
    assert.match((await same(build, '/?cb=f')).text, /f\(1\);$/);
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

/** `app.configure`: functions that run in some environments only. */
describe('app.configure', () => {
  const { ristretto3: web } = frameworks;

  for (const [title, configure, expected] of [
    [
      'runs if the environment matches',
      (app, note) => app.configure('staging', note('a')).configure('production', note('b')),
      ['a'],
    ],
    [
      'runs if any of several environments matches',
      (app, note) => app.configure('production', 'staging', note('a')).configure('x', 'y', note('b')),
      ['a'],
    ],
    ['always runs if no environment is given', (app, note) => app.configure(note('a')), ['a']],
    [
      'always runs for all, unless another environment is named too',
      (app, note) => app.configure('all', note('a')).configure('all', 'x', note('b')),
      ['a'],
    ],
    [
      'does not run for a list',
      (app, note) => app.configure(['staging'] as unknown as string, note('a')),
      [],
    ],
    [
      'depends on the env setting when app.configure() is called',
      (app, note) => app.configure('other', note('a')).set('env', 'other').configure('other', note('b')),
      ['b'],
    ],
  ] as [string, (app: App, note: (name: string) => () => void) => void, string[]][]) {
    test(`env: the function ${title}`, () => {
      for (const framework of Object.values(frameworks)) {
        const names: string[] = [];
        configure(framework().set('env', 'staging'), name => () => void names.push(name));
        assert.deepEqual(names, expected);
      }
    });
  }

  test('callback: runs with the application as this, and the application is returned', () => {
    for (const framework of Object.values(frameworks)) {
      const app = framework();
      let isApp = false;
      const returned = app.configure(function (this: unknown) {
        isApp = this === app;
      });
      assert.ok(isApp && returned === app);
    }
  });

  test('callback: throws if it is not a function', () => {
    const app = web() as unknown as { configure(env: string): void };
    assert.throws(() => app.configure('production'), /expected a function as the last argument, got string/);
  });
});

/** The main function and its members. */
describe('web', () => {
  const { ristretto3: web, express3 } = frameworks;

  test('function: returns an application, which is a request handler', async () => {
    const app = web();
    app.get('/', (_req, res) => res.send('hello'));
    assert.equal(typeof app, 'function');
    assert.equal(app.length, 3);
    assert.equal((await ask(http.createServer(app))).text, 'hello');
  });

  test('createServer: returns an application too', () => {
    assert.equal(typeof web.createServer().use, 'function');
  });

  test('version: is the package’s version, with major 3', () => {
    assert.equal(web.version, manifest.version);
    assert.match(web.version, /^3\./);
  });

  test('members: include all members of the oracle', () => {
    for (const name of Object.keys(express3)) assert.ok(Object.keys(web).includes(name), name);
  });

  test('middleware: is loaded on first access and can be replaced', () => {
    for (const name of ['basicAuth', 'csrf', 'session', 'vhost'] as const) {
      assert.equal(typeof web[name], 'function');
      assert.equal(web[name], web[name]);
    }
    const mine = (() => undefined) as never;
    const before = web.csrf;
    web.csrf = mine;
    assert.equal(web.csrf, mine);
    web.csrf = before;
  });

  test('mime: is the table that static files use', () => {
    assert.equal(web.mime.lookup('a.html'), 'text/html');
    assert.equal(web.mime, base.static.mime);
  });

  test('application, request, response: members set on them are available in every application', async () => {
    const members = web as unknown as Record<string, Record<string, unknown>>;
    members.application!.greet = () => 'app';
    members.request!.greet = () => 'req';
    members.response!.greet = () => 'res';
    const app = web();
    app.get('/', (req, res) => {
      res.send([app, req, res].map(one => (one as unknown as { greet(): string }).greet()).join());
    });
    assert.equal((await ask(app)).text, 'app,req,res');
    for (const name of ['application', 'request', 'response']) delete members[name]!.greet;
  });

  test('application, request, response: are not the objects of 4.x', () => {
    assert.equal(Object.getPrototypeOf(web.request), IncomingMessage.prototype);
    assert.equal(Object.getPrototypeOf(web.response), ServerResponse.prototype);
    assert.equal('auth' in base.request, false);
    assert.equal('headerSent' in base.response, false);
  });

  test('app.request, app.response: members apply to one application and those mounted in it', async () => {
    const build = (web: Web) => {
      const [app, child] = [web(), web()];
      (app.request as unknown as { hello(): string }).hello = () => 'hi';
      child.get('/', (req, res) => res.send((req as unknown as { hello(): string }).hello()));
      return app.use('/child', child);
    };
    assert.equal((await same(build, '/child')).text, 'hi');
  });
});
