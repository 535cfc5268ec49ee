/** Settings of an application: `app.set`, `get`, `enable`, `disable`, `enabled`, `disabled`, and how they are inherited. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KNOWN } from '@ristretto/private-engine/lib/dev/setting-names.js';
import web from 'ristretto';
import { inEnvironment } from '../support/environment.js';
import { ask } from '../support/http.js';
import { frameworks } from '../support/oracle.js';
import type { Web } from '../support/oracle.js';

type Loose = Record<string, (...args: unknown[]) => unknown> & { settings: Record<string, unknown> };
const both = Object.entries(frameworks) as [string, Web][];
const make = (web: Web): Loose => web() as unknown as Loose;

describe('app.set', () => {
  for (const [framework, web] of both) {
    test(`name, value: stores the value and reads it back (${framework})`, () => {
      const app = make(web);
      for (const value of ['text', 0, false, null, undefined, { a: 1 }, () => undefined, Symbol('s')]) {
        assert.equal(app.set!('any name at all', value), app);
        assert.equal(app.set!('any name at all'), value);
        assert.equal(app.settings['any name at all'], value);
      }
    });
    test(`name alone: reads the setting (${framework})`, () => {
      assert.equal(make(web).set!('etag'), 'weak');
      assert.equal(make(web).set!('unknown'), undefined);
    });
    test(`undefined as value: sets the value instead of reading it (${framework})`, () => {
      const app = make(web);
      assert.equal(app.set!('env', undefined), app);
      assert.equal(app.set!('env'), undefined);
      assert.equal(Object.hasOwn(app.settings, 'env'), true);
    });
    test(`etag, query parser, trust proxy: are compiled when they are set (${framework})`, () => {
      const app = make(web);
      for (const name of ['etag', 'query parser', 'trust proxy']) {
        const own = (): unknown => name;
        app.set!(name, own);
        assert.equal(app.set!(name), own);
        assert.equal(app.set!(`${name} fn`), own);
        app.set!(name, true);
        assert.equal(typeof app.set!(`${name} fn`), 'function');
        assert.notEqual(app.set!(`${name} fn`), own);
      }
    });
    test(`names that objects inherit: are undefined until they are set (${framework})`, () => {
      const app = make(web);
      for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
        assert.equal(app.set!(name), undefined);
        app.set!(name, 1);
        assert.equal(app.set!(name), 1);
      }
    });
  }
  test('__proto__: neither reads nor changes a shared prototype', () => {
    const app = make(frameworks.ristretto);
    assert.equal(app.set!('__proto__'), undefined);
    app.set!('__proto__', { polluted: true });
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(make(frameworks.ristretto).set!('polluted'), undefined);
  });
});

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
  }
});

for (const [name, other, value] of [
  ['enable', 'disable', true],
  ['disable', 'enable', false],
] as const) {
  describe(`app.${name}`, () => {
    for (const [framework, web] of both) {
      test(`name: sets the setting to ${value}, whatever its value was (${framework})`, () => {
        const app = web();
        for (const before of [undefined, true, false, 'text', 7]) {
          app.set('any', before)[name]('any');
          assert.equal(app.get('any'), value);
        }
      });
      test(`same as set: updates the compiled settings (${framework})`, () => {
        const app = web()[other]('trust proxy')[name]('trust proxy');
        const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
        assert.equal(trust('192.0.2.1', 0), value);
      });
      test(`returned value: is the application (${framework})`, () => {
        const app = web();
        assert.equal(app[name]('any'), app);
      });
      test(`replaced set: is called (${framework})`, () => {
        const app = web();
        const asked: unknown[] = [];
        (app as { set: unknown }).set = (...args: unknown[]) => void asked.push(args);
        app[name]('any');
        assert.deepEqual(asked, [['any', value]]);
      });
    }
  });
}

for (const [name, value] of [
  ['enabled', true],
  ['disabled', false],
] as const) {
  describe(`app.${name}`, () => {
    for (const [framework, web] of both) {
      test(`name: is ${value} when the value is truthy (${framework})`, () => {
        for (const truthy of [true, 1, 'text', {}, []])
          assert.equal(web().set('any', truthy)[name]('any'), value);
      });
      test(`name: is ${!value} when the value is falsy or not set (${framework})`, () => {
        for (const falsy of [false, 0, '', null, undefined, NaN])
          assert.equal(web().set('any', falsy)[name]('any'), !value);
        assert.equal(web()[name]('never set'), !value);
      });
      test(`defaults: reports the default settings (${framework})`, () => {
        assert.equal(web()[name]('x-powered-by'), value);
        assert.equal(web()[name]('trust proxy'), !value);
      });
      test(`sub-app: takes inherited settings into account (${framework})`, () => {
        const sub = web();
        web().enable('strict routing').use(sub);
        assert.equal(sub[name]('strict routing'), value);
      });
    }
  });
}

const settings = (framework: Web): Record<string, unknown> =>
  (framework() as unknown as { settings: Record<string, unknown> }).settings;

describe('app.settings', () => {
  test('defaults: are the same as in Express, except for functions', () => {
    const plain = (framework: Web) =>
      Object.entries(settings(framework)).map(([name, value]) => [
        name,
        typeof value === 'function' ? 'function' : value,
      ]);
    assert.deepEqual(plain(frameworks.ristretto), plain(frameworks.express));
  });
  test('any name: settings that Express lacks have names with a space', () => {
    const ofExpress = ['env', 'etag', 'view', 'views', 'x-powered-by'];
    const plain = Object.keys(KNOWN).filter(name => !name.includes(' '));
    assert.deepEqual(plain.sort(), ofExpress);
    const own = { 404: 'gone' };
    for (const name of ['errors', 'warnings']) assert.equal(web().set(name, own).get(name), own);
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

/** The settings that a sub-application inherits: those without a default, and `trust proxy`. */
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
      for (const value of [true, false]) {
        const sub = web();
        web().set('view cache', value).use(sub);
        assert.equal(sub.get('view cache'), value);
      }
    });
    test(`view cache: is not inherited in production (${framework})`, () => {
      const sub = inEnvironment({ NODE_ENV: 'production' }, () => web());
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
