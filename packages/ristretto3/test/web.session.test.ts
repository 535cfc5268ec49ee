/** `web.session`: sessions in a store, with their cookie, their methods and the interface of old stores. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import util from 'node:util';
import { describe, test } from 'node:test';
import { askPort, withServer } from '../../engine/test/support/http.js';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, chain, oracle, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const SECRET = 'keyboard cat';
const count: Handler = (req, res) => {
  const session = req.session as { views?: number };
  session.views = (session.views ?? 0) + 1;
  res.end(String(session.views));
};

/** Sends requests as one client, which keeps its cookie; resolves with the bodies and the last cookie. */
function visits(handlers: Handler[], paths: string[]): Promise<{ bodies: string[]; cookie: string }> {
  return withServer(chain(...handlers), async port => {
    const bodies: string[] = [];
    let cookie = '';
    for (const path of paths) {
      const answer = await askPort(port, { path, headers: cookie ? { Cookie: cookie } : {} });
      cookie = answer.headers['set-cookie']?.split(';')[0] ?? cookie;
      bodies.push(answer.text);
    }
    return { bodies, cookie };
  });
}

const frameworks: [string, Web][] = [
  ['ours', web],
  ['Express 3', oracle],
];

describe('web.session', () => {
  test('req.session: persists across requests', async () => {
    for (const [name, { session }] of frameworks) {
      const { bodies, cookie } = await visits([session({ secret: SECRET }), count], ['/', '/', '/']);
      assert.deepEqual(bodies, ['1', '2', '3'], name);
      assert.match(cookie, /^connect\.sid=s%3A/);
    }
  });

  test('key: is the name of the cookie', async () => {
    for (const [name, { session }] of frameworks) {
      const { cookie } = await visits([session({ secret: SECRET, key: 'sid' }), count], ['/']);
      assert.match(cookie, /^sid=s%3A/, name);
    }
  });

  test('cookie: applies its options', async () => {
    const options = { secret: SECRET, cookie: { path: '/a', maxAge: 60_000, httpOnly: false } };
    for (const [name, { session }] of frameworks) {
      const [answer] = await askAll([session(options), count], [{ path: '/a' }]);
      assert.match(answer!.headers['set-cookie']!, /; Path=\/a; Expires=[^;]+$/, name);
    }
  });

  test('secret: is the current secret of cookieParser, with one store', async () => {
    for (const [name, { cookieParser, session }] of frameworks) {
      const { bodies } = await visits([cookieParser(SECRET), session(), count], ['/', '/']);
      assert.deepEqual(bodies, ['1', '2'], name);
    }
    let secret: string | undefined = 'one';
    const changing: Handler = (req, _res, next) => {
      req.secret = secret;
      next();
    };
    const handlers = [changing, web.session(), count];
    const { bodies } = await withServer(chain(...handlers), async port => {
      const first = await askPort(port);
      const headers = { Cookie: first.headers['set-cookie']!.split(';')[0]! };
      secret = 'two';
      const forged = await askPort(port, { headers });
      secret = 'one';
      const second = await askPort(port, { headers });
      secret = undefined;
      return {
        bodies: [first.text, forged.text, second.text, (await askPort(port, { headers })).text.slice(0, 10)],
      };
    });
    assert.deepEqual(bodies, ['1', '1', '2', '500 secret']);
  });

  test('no secret: sends an error about the missing secret', async () => {
    const [answer] = await askAll([web.session(), count], [{}]);
    assert.match(answer!.text, /^500 secret option required for sessions/);
  });

  test('regenerate, destroy and reload', async () => {
    const use: Handler = (req, res) => {
      const session = req.session as InstanceType<Web['session']['Session']>;
      const end = () =>
        res.end(JSON.stringify((req.session as { views?: number } | undefined)?.views ?? null));
      if (req.url === '/new') session.regenerate(end);
      else if (req.url === '/gone') session.destroy(end);
      else if (req.url === '/reload') session.reload(end);
      else count(req, res, end);
    };
    for (const [name, { session }] of frameworks) {
      const paths = ['/', '/', '/reload', '/new', '/', '/gone', '/'];
      const { bodies } = await visits([session({ secret: SECRET }), use], paths);
      assert.deepEqual(bodies, ['1', '2', '2', 'null', '1', 'null', '1'], name);
    }
  });

  test('store: a class created with util.inherits works', async () => {
    for (const [name, { session }] of frameworks) {
      const kept = new Map<string, string>();
      const Memory = function (this: object) {
        Reflect.apply(session.Store as unknown as () => void, this, []);
      } as unknown as new () => InstanceType<Web['session']['Store']>;
      util.inherits(Memory, session.Store);
      Object.assign(Memory.prototype as object, {
        get: (id: string, done: (error: unknown, session?: unknown) => void) => {
          const text = kept.get(id);
          done(null, text && JSON.parse(text));
        },
        set: (id: string, value: unknown, done: () => void) => {
          kept.set(id, JSON.stringify(value));
          done();
        },
        destroy: (id: string, done: () => void) => {
          kept.delete(id);
          done();
        },
      });
      const { bodies } = await visits([session({ secret: SECRET, store: new Memory() }), count], ['/', '/']);
      assert.deepEqual(bodies, ['1', '2'], name);
      assert.equal(kept.size, 1);
    }
  });

  test('Store, MemoryStore, Session, Cookie: have the members that stores and applications use', () => {
    for (const [, { session }] of frameworks) {
      const store = new session.MemoryStore();
      assert.ok(store instanceof session.Store);
      assert.ok(store instanceof EventEmitter);
      const names = [
        'get',
        'set',
        'destroy',
        'regenerate',
        'load',
        'createSession',
        'all',
        'clear',
        'length',
        'touch',
      ];
      for (const name of names) assert.equal(typeof store[name as 'get'], 'function', name);
      const cookie = new session.Cookie({ maxAge: 1000 });
      assert.deepEqual([cookie.path, cookie.httpOnly], ['/', true]);
      // It is what was left of the time when it was read
      assert.ok(Math.abs(cookie.originalMaxAge! - 1000) < 500);
      assert.match(cookie.serialize('a', 'b'), /^a=b; Path=\/; Expires=.*; HttpOnly$/);
      for (const name of ['touch', 'resetMaxAge', 'save', 'reload', 'destroy', 'regenerate']) {
        assert.equal(typeof session.Session.prototype[name], 'function', name);
      }
    }
  });

  test('saving: new and unchanged sessions are saved unless the options say otherwise', async () => {
    const saved = async (options: object) => {
      const store = new web.session.MemoryStore();
      await visits([web.session({ secret: SECRET, store, ...options }), show(() => 'x')], ['/']);
      return new Promise(resolve => store.length((_error, length) => resolve(length)));
    };
    assert.equal(await saved({}), 1);
    assert.equal(await saved({ saveUninitialized: false }), 0);
  });
});
