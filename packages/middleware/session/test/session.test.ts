import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { after, describe, test } from 'node:test';
import session from '@ristretto/session';
import type { Session, SessionData, SessionOptions } from '@ristretto/session';
import { askHttp2 } from '../../../engine/test/support/http2.js';
import { until } from '../../../engine/test/support/until.js';
import { application, errorHandler, FRAMEWORKS } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';
import { portOf } from '../../../engine/test/support/http.js';

const load = createRequire(__filename);
const original = load('express-session') as typeof session;

type Request = Parameters<Handler>[0] & {
  session: Session & SessionData & Record<string, unknown>;
  sessionID: string;
};
type Use = (req: Request, res: http.ServerResponse, next: (error?: unknown) => void) => unknown;
type Done = (error?: unknown, value?: unknown) => void;

const SECRET = 'keyboard cat';
const OPTIONS = { secret: SECRET, resave: false, saveUninitialized: false };
const open: http.Server[] = [];
after(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
});

function signed(id: string, secret = SECRET): string {
  const signature = createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, '');
  return `connect.sid=${encodeURIComponent(`s:${id}.${signature}`)}`;
}

/** Serves until the end of the tests; resolves with the port. */
function listen(listener: http.RequestListener): Promise<number> {
  const server = http.createServer(listener);
  open.push(server);
  return portOf(server.listen(0, '127.0.0.1'));
}

/** Starts an application with sessions; returns a function that sends a request with a cookie. */
async function serve(options: object, use: Use, middleware = session, on: FrameworkName = 'express4') {
  const errors: unknown[] = [];
  const listener = application(on, [
    middleware({ ...OPTIONS, ...options }) as unknown as Handler,
    use as unknown as Handler,
    errorHandler((error, _req, res, _next) => {
      errors.push(error);
      if (res.headersSent) return;
      res.statusCode = (error as { status?: number }).status ?? 500;
      res.end(String(error));
    }),
  ]);
  const port = await listen(listener);
  const ask = async (cookie?: string, target = '/') => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers: cookie ? { cookie } : {} });
    const text = await response.text();
    return { status: response.status, text, cookie: response.headers.get('set-cookie')?.split(';')[0] };
  };
  return { ask, errors, port };
}

/** A store whose methods a test replaces. */
function storeWith(methods: object, Base = session.MemoryStore): session.Store {
  return Object.assign(new Base(), methods);
}

const stored = (data: object): string =>
  JSON.stringify({ cookie: { originalMaxAge: null, expires: null, httpOnly: true, path: '/' }, ...data });

describe('session', () => {
  test('session: exports the members of the original, for import and for require', async () => {
    assert.deepEqual(Object.keys(session), Object.keys(original));
    const imported = Object.keys((await import('@ristretto/session')) as object);
    for (const name of Object.keys(original)) assert.ok(imported.includes(name), name);
    for (const name of ['cookie', 'memory', 'session', 'store']) {
      assert.equal(typeof load(`@ristretto/session/session/${name}`), 'function', name);
    }
    assert.equal(session(OPTIONS).name, 'session');
    assert.equal(session(OPTIONS).length, 3);
  });

  test('session: options that can never work throw an error with the value', () => {
    const wrong: [object, RegExp][] = [
      [{ genid: 5 }, /genid option must be a function/],
      [{ unset: 'x' }, /unset option must be "destroy" or "keep"/],
      [{ secret: [] }, /secret option array must contain one or more strings/],
      [{ secret: 5 }, /Expected a secret .*, got number/],
      [{ secret: ['a', undefined] }, /Expected a secret .*, got undefined/],
      [{ storeTimeout: '5' }, /storeTimeout option .* got "5"/],
      [{ store: {} }, /store\.on is not a function/],
      [{ name: 'a b' }, /can set no cookie 'a b' with .*: argument name is invalid/],
      [{ cookie: { sameSite: 'relaxed' } }, /with \{ sameSite: 'relaxed' \}: option sameSite is invalid/],
      [{ cookie: { priority: 'urgent' } }, /with \{ priority: 'urgent' \}: option priority is invalid/],
      [{ cookie: { domain: 'a b' } }, /with \{ domain: 'a b' \}: option domain is invalid/],
      [{ cookie: { expires: 'tomorrow' } }, /with \{ expires: 'tomorrow' \}: option expires is invalid/],
      [{ cookie: { path: 'a;b' } }, /with \{ path: 'a;b' \}: option path is invalid/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(() => session({ ...OPTIONS, ...options } as SessionOptions), message);
    }
  });

  test('session: prints the deprecations and the debug messages of the original', () => {
    const program = (name: string): string => `
      const { createHmac } = require('node:crypto');
      const http = require('node:http');
      const session = require('${name}');
      session();
      const sid = (id, secret = 'a') =>
        'connect.sid=' + encodeURIComponent('s:' + id + '.' + createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, ''));
      const store = new session.MemoryStore();
      const read = req => req.session && req.session.user;
      const write = req => (req.session.user = 1);
      const visits = [
        [{}, '', write],
        [{}, sid('id', 'b'), read],
        [{}, sid('unknown'), read],
        [{}, sid('id'), read],
        [{}, sid('id'), req => req.session.reload(() => undefined)],
        [{}, sid('id'), req => req.session.save(() => undefined)],
        [{ cookie: { secure: true } }, '', write],
        [{ genid: () => 5 }, '', write],
        [{ saveUninitialized: true }, 'connect.sid=x', read],
        [{}, '', req => (req.session = null)],
        [{ unset: 'destroy' }, sid('id'), req => void delete req.session],
        [{ cookie: { path: '/below' } }, '', read],
        [{}, sid('fails'), read],
        [{ isDisconnected: true }, '', read],
      ];
      const { get } = store;
      store.get = (id, done) => (id === 'fails' ? done(Object.assign(new Error('down'), { a: 1 })) : get.call(store, id, done));
      (async () => {
        for (const [options, cookie, use] of visits) {
          const handle = session({ secret: 'a', resave: false, saveUninitialized: false, genid: () => 'id', store, ...options });
          if (options.isDisconnected) store.emit('disconnect');
          const server = http.createServer((req, res) => handle(req, res, error => res.end(String(error || use(req)))));
          await new Promise(resolve => server.listen(0, resolve));
          await fetch('http://localhost:' + server.address().port, { headers: { cookie } }).then(res => res.text());
          server.close();
          server.closeAllConnections();
        }
        session({ secret: 'a', resave: false, saveUninitialized: false, store })({ headers: {}, url: '*' }, {}, () => undefined);
      })();`;
    const print = (name: string): string[] => {
      const { PATH } = process.env;
      const env = { PATH, NODE_ENV: 'production', DEBUG: 'express-session', RISTRETTO_WARNINGS: 'off' };
      const { stderr } = spawnSync(process.execPath, ['-e', program(name)], { env, encoding: 'utf8' });
      const lines = stderr.replace(/\w+, \d+ \w+ \d+ [\d:]+ GMT/g, 'date').split('\n');
      // Node.js warns of the many listeners. Ours orders the header and the store differently at the end of a response.
      return lines.filter(line => !line.startsWith('(')).sort();
    };
    const ours = print('@ristretto/session');
    for (const message of ['destroying', 'error {"a":1}', 'not secured', 'reloading id', 'touching'])
      assert.ok(ours.includes(`date express-session ${message}`), message);
    assert.ok(ours.some(line => line.startsWith('Warning: connect.session() MemoryStore is not')));
    assert.ok(ours.some(line => line.includes('undefined resave option; provide resave option at [eval]')));
    assert.ok(ours.includes('date express-session no SID sent, generating session'));
    assert.deepEqual(ours, print('express-session'));
  });

  describe('data', () => {
    test('session: the data of a session that is not read is not compared', async () => {
      let count = 0;
      const data = {
        cookie: { originalMaxAge: null, expires: null },
        value: { toJSON: () => Boolean(++count) },
      };
      const store = storeWith({
        get: (_id: string, done: Done) => setImmediate(done, null, { ...data }),
        touch: undefined,
      });
      const { ask } = await serve({ store }, (req, res) => {
        if (req.url === '/read') void req.session;
        res.end();
      });
      await ask(signed('a'));
      assert.equal(count, 0);
      await ask(signed('a'), '/read');
      assert.equal(count, 2);
    });

    test('session: stored data can set neither a prototype nor a method', async () => {
      const sessions = { a: stored({}).replace('}}', '},"__proto__":{"admin":true},"save":1,"id":2}') };
      const store = Object.assign(new session.MemoryStore(), { sessions });
      const { ask } = await serve({ store }, (req, res) => {
        res.end(JSON.stringify([req.session.admin, typeof req.session.save, req.session.id]));
      });
      const { text } = await ask(signed('a'));
      assert.equal(text, '[null,"function","a"]');
    });

    test('session: req.session is an ordinary property once it has been deleted', async () => {
      const { ask } = await serve({}, (req, res) => {
        const before = [Object.hasOwn(req, 'session'), Object.keys(req).includes('session')];
        delete (req as Partial<Request>).session;
        const between = 'session' in req;
        req.session = { own: 1 } as never;
        const { value } = Object.getOwnPropertyDescriptor(req, 'session')!;
        delete (req as Partial<Request>).session;
        res.end(JSON.stringify([before, between, value]));
      });
      assert.equal((await ask()).text, '[[true,true],false,{"own":1}]');
    });
  });

  describe('promises', () => {
    test('session: a new session that is not read, or read late, behaves like an existing one', async () => {
      const uses: Use[] = [
        (_req, res) => res.end(),
        (req, res) => {
          const { sessionID } = req;
          req.sessionID = 'another';
          res.end(
            JSON.stringify([req.session.id === sessionID, Object.keys(req.session), req.session.cookie]),
          );
        },
        (req, res) => {
          Reflect.deleteProperty(req, 'session');
          res.end(String(req.session));
        },
        (req, res) => {
          req.session = null as never;
          res.end(String(req.session));
        },
        (req, res, next) => session(OPTIONS)(req as never, res as never, next),
      ];
      for (const cookie of [undefined, signed('unknown')]) {
        for (const unset of ['destroy', 'keep']) {
          for (const use of uses) {
            const [ours, theirs] = await Promise.all(
              [session, original].map(async middleware => {
                const calls: string[] = [];
                const note = (name: string) => (id: string, second: unknown, done?: Done) => {
                  calls.push(`${name} ${id.length}`);
                  (done ?? (second as Done))();
                };
                const store = storeWith(
                  { get: note('get'), set: note('set'), destroy: note('destroy'), touch: note('touch') },
                  middleware.MemoryStore,
                );
                const { ask } = await serve({ store, unset, cookie: { path: '/' } }, use, middleware);
                const { status, text, cookie: sent } = await ask(cookie);
                return { status, text, sent: sent?.length, calls };
              }),
            );
            assert.deepEqual(ours, theirs);
          }
        }
      }
    });

    test('session: save, reload, regenerate and destroy return promises without a callback', async () => {
      const { ask, errors } = await serve({}, async (req, res) => {
        const { id } = req.session;
        req.session.user = 'tobi';
        await req.session.save();
        req.session.user = 'other';
        await req.session.reload();
        const reloaded = req.session.user;
        await req.session.regenerate();
        const isNew = req.session.id !== id && req.session.user === undefined;
        await req.session.destroy();
        res.end(JSON.stringify([reloaded, isNew, req.session]));
      });
      assert.equal((await ask()).text, '["tobi",true,null]');
      assert.deepEqual(errors, []);
    });

    test('session: with a callback the methods return the session', async () => {
      const { ask } = await serve({}, (req, res) => {
        const own = req.session;
        const same = own.touch().save(() => {
          own.reload(() => res.end(String(same === own)));
        });
      });
      assert.equal((await ask()).text, 'true');
    });

    test('session: a rejected promise that nobody handles does not end the process', async () => {
      const store = storeWith({
        set: (_id: string, _data: unknown, done: Done) => setImmediate(done, new Error('down')),
      });
      const { ask } = await serve({ store }, async (req, res) => {
        void req.session.save();
        // Its promise is rejected in between.
        for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
        const message = await req.session.save().catch((error: unknown) => String(error));
        delete (req as Partial<Request>).session;
        res.end(message as string);
      });
      assert.equal((await ask()).text, 'Error: down');
    });
  });

  describe('as the original', () => {
    /** Returns what clients of both see, with the same options, preceding handlers and cookies. */
    async function compare(
      options: object,
      front: Use,
      requests: Record<string, string>[],
    ): Promise<unknown[]> {
      const [theirs, ours] = await Promise.all(
        [original, session].map(async middleware => {
          const store = new middleware.MemoryStore();
          store.set('known', JSON.parse(stored({ user: 'tobi' })) as SessionData);
          const expired = {
            ...JSON.parse(stored({ user: 'old' })),
            cookie: { expires: new Date(0) },
          } as object;
          store.set('expired', expired as SessionData);
          const listener = application('express4', [
            front as unknown as Handler,
            middleware({ resave: false, saveUninitialized: true, store, ...options } as never) as never,
            ((req: Request, res: http.ServerResponse) =>
              res.end(req.session ? JSON.stringify(req.session.user ?? null) : 'none')) as unknown as Handler,
            errorHandler((error, _req, res, _next) => void res.end(String(error))),
          ]);
          const port = await listen(listener);
          const seen = [];
          for (const { target = '/', ...headers } of requests) {
            const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers });
            const cookie = response.headers.get('set-cookie')?.replace(/=s%3A[^;]+/, '=value');
            seen.push([await response.text(), cookie ?? null]);
          }
          return seen;
        }),
      );
      assert.deepEqual(ours, theirs);
      return ours!.map(each => each[0]);
    }
    const secret = { secret: SECRET };
    const pass: Use = (_req, _res, next) => void next();

    test('session: cookies that a parser has read before are used', async () => {
      const parsed =
        (name: string, value: string): Use =>
        (req, _res, next) => {
          Object.assign(req, { [name]: { 'connect.sid': value } });
          next();
        };
      const { value = '' } = /=(?<value>.*)/.exec(decodeURIComponent(signed('known')))!.groups!;
      assert.deepEqual(await compare(secret, parsed('signedCookies', 'known'), [{}]), ['"tobi"']);
      assert.deepEqual(await compare(secret, parsed('cookies', value), [{}]), ['"tobi"']);
      assert.deepEqual(await compare(secret, parsed('cookies', `${value}x`), [{}]), ['null']);
      assert.deepEqual(await compare(secret, parsed('cookies', 'known'), [{}]), ['null']);
    });

    test('session: uses req.secret if the option is missing; without either, it is an error', async () => {
      const withSecret: Use = (req, _res, next) => {
        Object.assign(req, { secret: SECRET });
        next();
      };
      assert.deepEqual(await compare({}, withSecret, [{ cookie: signed('known') }]), ['"tobi"']);
      assert.deepEqual(await compare({}, pass, [{}]), ['Error: secret option required for sessions']);
    });

    test('session: an expired session, and one that is not stored, are replaced', async () => {
      const cookies = ['expired', 'unknown', 'known'].map(id => ({ cookie: signed(id) }));
      assert.deepEqual(await compare(secret, pass, cookies), ['null', 'null', '"tobi"']);
    });

    test('session: a changed session that is stored without expires gets a cookie', async () => {
      for (const middleware of [original, session]) {
        const store = new middleware.MemoryStore();
        store.set('bare', { cookie: { originalMaxAge: 60_000 } } as SessionData);
        const change: Use = (req, res) => {
          req.session.user = 'changed';
          res.end();
        };
        const { ask } = await serve({ store }, change, middleware);
        assert.match(String((await ask(signed('bare'))).cookie), /^connect\.sid=s%3Abare/);
      }
    });

    test('session: X-Forwarded-Proto counts as the option proxy says', async () => {
      const requests = ['https', 'https, http', 'http, https', 'HTTPS ', ''].map(proto => ({
        'x-forwarded-proto': proto,
      }));
      for (const proxy of [true, false, undefined])
        for (const secure of [true, 'auto'])
          await compare({ ...secret, proxy, cookie: { secure, sameSite: 'strict' } }, pass, requests);
    });

    test('session: mistakes of cookies and stores have the messages of the original', () => {
      const messageOf = (use: () => unknown): string => {
        try {
          return typeof use();
        } catch (error) {
          return String(error);
        }
      };
      const uses: ((api: typeof session) => unknown)[] = [
        api => new api.Cookie('x' as never),
        api => Object.assign(new api.Cookie({}), { maxAge: 'x' }),
        api => Object.assign(new api.Cookie({}), { maxAge: new Date() }).maxAge,
        api => {
          const cookie = new api.Cookie({});
          cookie.maxAge = null as never;
          return cookie.maxAge;
        },
        api => new api.Cookie({ maxAge: '5' } as never),
      ];
      for (const use of uses)
        assert.equal(
          messageOf(() => use(session)),
          messageOf(() => use(original)),
        );
    });

    test('session: reload of a session that is gone, or has no cookie, is an error', async () => {
      for (const [data, message] of [
        [undefined, 'Error: failed to load session'],
        [{}, /^TypeError: /],
      ] as const) {
        let calls = 0;
        const get = (_id: string, done: Done) =>
          done(null, calls++ === 0 ? (JSON.parse(stored({ user: 1 })) as unknown) : data);
        const { ask } = await serve({ store: storeWith({ get }) }, (req, res) => {
          req.session.reload(error => res.end(String(error)));
        });
        const { text } = await ask(signed('a'));
        if (typeof message === 'string') assert.equal(text, message);
        else assert.match(text, message);
      }
    });
  });

  describe('stores', () => {
    const failing = (method: string, how: string): object => ({
      [method]: (...args: unknown[]) => {
        const done = args.findLast(arg => typeof arg === 'function') as Done;
        if (how === 'throws') throw new Error('down');
        if (how === 'rejects') return Promise.reject(new Error('down'));
        setImmediate(done, new Error('down'));
        return undefined;
      },
    });

    const unsaved: Use = (req, res) => {
      delete (req as Partial<Request>).session;
      res.end('ok');
    };
    const changed: Use = (req, res) => {
      req.session.user = 1;
      res.end('ok');
    };
    const read: Use = (req, res) => res.end(req.session.user === 1 ? 'ok' : 'no session');

    for (const [method, use, cookie] of [
      ['set', changed, undefined],
      ['destroy', unsaved, signed('a')],
      ['touch', read, signed('a')],
    ] as const) {
      for (const how of ['throws', 'rejects', 'calls back with an error']) {
        test(`session: when ${method} ${how}, the response is sent and the error reported`, async () => {
          const store = storeWith({ sessions: { a: stored({ user: 1 }) }, ...failing(method, how) });
          const { ask, errors } = await serve({ store, unset: 'destroy' }, use);
          const { status, text } = await ask(cookie);
          await until(() => errors.length > 0);
          assert.deepEqual([status, text, errors.map(String)], [200, 'ok', ['Error: down']]);
        });
      }
    }

    for (const how of ['throws', 'rejects', 'calls back with an error']) {
      test(`session: when get ${how}, the error goes to the error handler once`, async () => {
        const { ask, errors } = await serve({ store: storeWith(failing('get', how)) }, read);
        const { status, text } = await ask(signed('a'));
        assert.deepEqual([status, text, errors.length], [500, 'Error: down', 1]);
      });
    }

    test('session: methods that return promises in place of calling back work, for sessions and for the store', async () => {
      const calls: string[] = [];
      class AsyncStore extends session.Store {
        readonly sessions = new Map<string, session.SessionData>();
        async get(id: string) {
          calls.push('get');
          await Promise.resolve();
          return this.sessions.get(id);
        }
        async set(id: string, data: session.SessionData) {
          calls.push('set');
          await new Promise(setImmediate);
          this.sessions.set(id, JSON.parse(JSON.stringify(data)) as session.SessionData);
        }
        destroy(id: string) {
          calls.push('destroy');
          this.sessions.delete(id);
          return Promise.resolve();
        }
        override touch() {
          calls.push('touch');
          return Promise.resolve();
        }
      }
      const store = new AsyncStore();
      session({ ...OPTIONS, store });
      const { ask, errors } = await serve({ store }, async (req, res) => {
        const { session: own } = req as unknown as { session: session.Session & { n?: number } };
        if (req.url === '/new') await own.regenerate();
        else if (req.url === '/add') own.n = (own.n ?? 0) + 1;
        else if (req.url === '/reload') await own.reload();
        else if (req.url === '/destroy') await own.destroy();
        const now = (req as unknown as { session?: { n?: number } }).session;
        res.end(String(now?.n));
      });
      const first = await ask(undefined, '/add');
      const id = [...store.sessions.keys()][0]!;
      assert.equal((await ask(first.cookie, '/add')).text, '2');
      assert.equal((await ask(first.cookie, '/reload')).text, '2');
      assert.equal((await ask(first.cookie)).text, '2');
      const loaded = await new Promise<object>((resolve, reject) => {
        store.load(id, (error, data) => (error ? reject(error as Error) : resolve(data!)));
      });
      assert.equal((loaded as { n?: number }).n, 2);
      assert.equal(((await store.get(id)) as { n?: number } | undefined)?.n, 2);
      assert.equal((await ask(first.cookie, '/new')).text, 'undefined');
      assert.equal(store.sessions.has(id), false);
      assert.equal((await ask(first.cookie, '/destroy')).text, 'undefined');
      assert.deepEqual([errors, [...new Set(calls)].sort()], [[], ['destroy', 'get', 'set', 'touch']]);
      store.get = () => Promise.reject(new Error('down'));
      const failing = await serve({ store }, (_req, res) => res.end('ok'));
      assert.equal((await failing.ask(first.cookie)).text, 'Error: down');
      store.get = async () => Promise.reject(undefined as unknown as Error);
      const silent = await serve({ store }, (_req, res) => res.end('ok'));
      assert.match(
        (await silent.ask(first.cookie)).text,
        /^Error: The session store failed without a reason/,
      );
    });

    test('session: a callback parameter with a default is called, and the promise of its method is ignored', async () => {
      const get = async (_id: string, done: Done = () => assert.fail()): Promise<undefined> => {
        await Promise.resolve();
        done(null, JSON.parse(stored({ user: 'ada' })));
        return undefined;
      };
      const store = storeWith({ get });
      const { ask } = await serve({ store }, (req, res) => res.end(String(req.session.user)));
      assert.equal((await ask(signed('a'))).text, 'ada');
      let count = 0;
      await new Promise<void>(resolve => {
        (store as session.Store).get('a', () => {
          count++;
          setImmediate(resolve);
        });
      });
      assert.equal(count, 1);
    });

    test('session: a store with callbacks that fails without a reason is an error, and no missing session', async () => {
      const ways: ((id: string, done: Done) => unknown)[] = [
        (_id, _done) => Promise.reject(undefined as unknown as Error),
        (_id, _done) => {
          throw undefined as unknown as Error;
        },
      ];
      for (const get of ways) {
        const { ask } = await serve({ store: storeWith({ get: get as never }) }, (_req, res) =>
          res.end('ok'),
        );
        assert.match((await ask(signed('a'))).text, /^Error: The session store failed without a reason/);
      }
    });

    test('session: a store that calls back twice calls the handlers once', async () => {
      let count = 0;
      const get = (_id: string, done: Done): void => {
        setImmediate(() => {
          done(null, undefined);
          done(null, JSON.parse(stored({ user: 'other' })));
        });
      };
      const { ask } = await serve({ store: storeWith({ get }) }, (req, res) => {
        count++;
        setTimeout(() => res.end(JSON.stringify(req.session.user ?? null)), 5);
      });
      assert.deepEqual([(await ask(signed('a'))).text, count], ['null', 1]);
    });

    test('session: a store that never calls back fails the request after storeTimeout, and is ignored later', async () => {
      let late: Done | undefined;
      const get = (_id: string, done: Done): void => void (late = done);
      const { ask, errors } = await serve(
        { store: storeWith({ get }, class extends session.MemoryStore {}), storeTimeout: 30 },
        (req, res) => res.end(String(req.session.user)),
      );
      const { status, text } = await ask(signed('a'));
      assert.equal(status, 503);
      assert.match(text, /^Error: The session store has not responded within 30 ms \(option storeTimeout\)$/);
      late!(null, JSON.parse(stored({ user: 'late' })));
      await new Promise(setImmediate);
      assert.equal(errors.length, 1);
    });

    test('session: a response waits at most storeTimeout for a store that stalls', async () => {
      const { ask, errors } = await serve(
        {
          store: storeWith({ set: () => undefined }, class extends session.MemoryStore {}),
          storeTimeout: 30,
        },
        changed,
      );
      const { status, text } = await ask();
      await until(() => errors.length > 0);
      assert.deepEqual([status, text, (errors[0] as { code: string }).code], [200, 'ok', 'ESTORETIMEOUT']);
    });

    for (const method of ['save', 'reload', 'regenerate', 'destroy'] as const) {
      test(`session: ${method} waits at most storeTimeout for a store that stalls, and ignores its late result`, async () => {
        const waiting: Done[] = [];
        const stalls = (...args: unknown[]): void => void waiting.push(args.at(-1) as Done);
        const store = storeWith({}, class extends session.MemoryStore {});
        const { ask, errors } = await serve({ store, storeTimeout: 30 }, async (req, res) => {
          const { session } = req;
          Object.assign(store, { get: stalls, set: stalls, destroy: stalls });
          await assert.rejects(session[method](), { code: 'ESTORETIMEOUT', status: 503 });
          const error: unknown = await new Promise(resolve => session[method](resolve));
          // Results that arrive now change nothing: the handler has continued with what it has.
          const { sessionID } = req;
          for (const late of waiting) late(null, { cookie: { originalMaxAge: null }, user: 'late' });
          assert.equal(req.session, method === 'destroy' ? undefined : session);
          assert.equal(req.sessionID, sessionID);
          delete (req as { session?: unknown }).session;
          res.end((error as Error).message);
        });
        const { text } = await ask();
        assert.equal(text, 'The session store has not responded within 30 ms (option storeTimeout)');
        assert.deepEqual([errors, waiting.length], [[], 2]);
      });
    }

    test('session: a request whose client disconnects while the store stalls is closed', async () => {
      let closed: (() => void) | undefined;
      const isClosed = new Promise<void>(resolve => (closed = resolve));
      const store = storeWith({ set: () => undefined }, class extends session.MemoryStore {});
      const { port } = await serve({ store, storeTimeout: 0 }, (req, res) => {
        res.on('close', closed!);
        req.session.user = 1;
        res.end('ok');
        setTimeout(() => socket.destroy(), 20);
      });
      const socket = net.connect(port, '127.0.0.1');
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await isClosed;
    });

    for (const on of FRAMEWORKS) {
      test(`session: on ${on} after the response has begun, a session is stored as the original stores it`, async () => {
        const seen: unknown[] = [];
        for (const middleware of [original, session]) {
          const store = new middleware.MemoryStore();
          const calls: string[] = [];
          const set = store.set.bind(store);
          store.set = (id, data, done) => {
            calls.push(`${id === 'a'} ${JSON.stringify((data as { user?: unknown }).user)}`);
            set(id, data, done);
          };
          store.set('a', JSON.parse(stored({ user: 1 })) as SessionData);
          const listener = application(on, [
            (_req, res, next) => {
              res.write('begun ');
              setImmediate(next);
            },
            middleware({ ...OPTIONS, store }) as unknown as Handler,
            ((req: Request, res: http.ServerResponse) => {
              req.session.user = 2;
              res.end('done');
            }) as unknown as Handler,
          ]);
          const port = await listen(listener);
          for (const cookie of [signed('a'), '']) {
            const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
            assert.deepEqual(
              [await response.text(), response.headers.get('set-cookie')],
              ['begun done', null],
            );
          }
          await until(() => calls.length >= 3);
          seen.push(calls);
        }
        assert.deepEqual(seen[1], seen[0]);
        assert.deepEqual(seen[1], ['true 1', 'true 2', 'false 2']);
      });
    }

    test('session: results that a store gives in another order reach their own requests', async () => {
      const waiting: [string, Done][] = [];
      const get = (id: string, done: Done): void => {
        waiting.push([id, done]);
        if (waiting.length < 20) return;
        for (const [of, call] of waiting.splice(0).reverse()) {
          const data: unknown = JSON.parse(stored({ user: of }));
          call(null, data);
          // Again, as a client of a store that has lost its place would.
          call(null, JSON.parse(stored({ user: 'other' })));
        }
      };
      const { ask } = await serve({ store: storeWith({ get }) }, (req, res) => {
        setImmediate(() => res.end(`${req.sessionID} ${String(req.session.user)}`));
      });
      const ids = Array.from({ length: 20 }, (_, index) => `id${index}`);
      const found = await Promise.all(ids.map(async id => (await ask(signed(id))).text));
      assert.deepEqual(
        found,
        ids.map(id => `${id} ${id}`),
      );
    });

    test('session: while the store is disconnected, requests have no session', async () => {
      const store = new session.MemoryStore();
      const { ask } = await serve({ store }, (req, res) => res.end(typeof req.session));
      store.emit('disconnect');
      assert.equal((await ask()).text, 'undefined');
      store.emit('connect');
      assert.equal((await ask()).text, 'object');
    });

    test('session: touch does not delay the response', async () => {
      let hasCalled = false;
      const touch = (): void => void (hasCalled = true);
      const sessions = { a: stored({}) };
      const { ask } = await serve({ store: storeWith({ touch, sessions }) }, (_req, res) => res.end('ok'));
      assert.equal((await ask(signed('a'))).text, 'ok');
      assert.ok(hasCalled);
    });

    test('session: load of a store returns a session without a request', async () => {
      const store = Object.assign(new session.MemoryStore(), { sessions: { a: stored({ user: 'tobi' }) } });
      const loaded = await new Promise<unknown>((resolve, reject) => {
        store.load('a', (error: unknown, found) => (error ? reject(error as Error) : resolve(found)));
      });
      assert.ok(loaded instanceof session.Session);
      assert.equal((loaded as unknown as { user: string }).user, 'tobi');
    });

    test('session: MemoryStore lists, counts and clears its sessions as in the original, without expired ones', async () => {
      const soon = new Date(Date.now() + 60_000).toISOString();
      const past = new Date(Date.now() - 1000).toISOString();
      const data = (expires: string | null) =>
        ({ cookie: { originalMaxAge: null, expires, httpOnly: true, path: '/' }, user: 'tobi' }) as never;
      const [ours, theirs] = await Promise.all(
        [session, original].map(async ({ MemoryStore }) => {
          const store = new MemoryStore();
          const called = (name: 'all' | 'length' | 'clear'): Promise<unknown> =>
            new Promise(resolve => store[name]((_error?: unknown, value?: unknown) => resolve(value)));
          for (const [id, expires] of Object.entries({ a: soon, b: past, c: null }))
            store.set(id, data(expires));
          const seen = [await called('all'), await called('length')];
          store.touch('a', data(null));
          store.touch('b', data(soon));
          store.touch('unknown', data(soon));
          seen.push(await called('all'));
          store.destroy('a');
          seen.push(await called('length'));
          store.clear();
          return [...seen, await called('clear'), await called('length')];
        }),
      );
      assert.deepEqual(JSON.stringify(ours), JSON.stringify(theirs));
      assert.equal(ours!.at(-1), 0);
    });

    test('session: errors of get reach the callbacks of load and length of a store', async () => {
      const down = new Error('down');
      const store = storeWith({
        get: (_id: string, done: Done) => done(down),
        all: (done: Done) => done(down),
      });
      assert.equal(await new Promise(resolve => store.load('a', resolve)), down);
      assert.equal(await new Promise(resolve => store.length!(resolve)), down);
    });

    test('session: a store written with functions and inherits works', async () => {
      function Old(this: object): void {
        (session.Store as unknown as () => void).call(this);
      }
      Object.setPrototypeOf(Old.prototype, session.Store.prototype as object);
      const { get, set, destroy } = session.MemoryStore.prototype;
      Object.assign(Old.prototype as object, { sessions: {}, get, set, destroy });
      const store = new (Old as unknown as new () => session.Store)();
      const { ask } = await serve({ store }, (req, res) => {
        req.session.views = ((req.session.views as number | undefined) ?? 0) + 1;
        res.end(String(req.session.views));
      });
      const { cookie } = await ask();
      assert.equal((await ask(cookie)).text, '2');
    });

    for (const [from, to, way] of [
      [original, session, 'from express-session to ours'],
      [session, original, 'from ours to express-session'],
    ] as const) {
      test(`session: cookies and stored sessions survive a switch ${way}`, async () => {
        // As published stores do: a class over that of the middleware, which keeps text.
        const texts = new Map<string, string>();
        const store = ({ Store }: typeof session): session.Store =>
          new (
            class extends Store {
              get(id: string, done: (error: unknown, data?: SessionData | null) => void): void {
                setImmediate(done, null, texts.has(id) ? JSON.parse(texts.get(id)!) : undefined);
              }
              set(id: string, value: SessionData, done: Done): void {
                texts.set(id, JSON.stringify(value));
                setImmediate(done);
              }
              destroy(id: string, done: Done): void {
                texts.delete(id);
                setImmediate(done);
              }
            } as unknown as new () => session.Store
          )();
        const use: Use = (req, res) => {
          req.session.views = ((req.session.views as number | undefined) ?? 0) + 1;
          res.end(String(req.session.views));
        };
        const cookie = { maxAge: 60_000 };
        const before = await serve({ store: store(from), cookie }, use, from);
        const first = await before.ask();
        const behind = await serve({ store: store(to), cookie }, use, to, 'ristretto');
        assert.deepEqual([first.text, (await behind.ask(first.cookie)).text], ['1', '2']);
        assert.equal((await before.ask(first.cookie)).text, '3');
      });
    }

    test('session: a store created with express-session works, and saves no session twice', async () => {
      const store = new original.MemoryStore();
      let count = 0;
      const { set } = store;
      store.set = function (...args) {
        count++;
        set.apply(this, args);
      };
      const { ask } = await serve({ store }, async (req, res) => {
        req.session.user = 1;
        await new Promise(resolve => req.session.save(resolve));
        res.end();
      });
      const { cookie } = await ask();
      await ask(cookie);
      assert.equal(count, 2);
    });
  });

  describe('security', () => {
    test('session: an ID without a valid signature is never used (CVE-2016-1000236)', async () => {
      const sessions = { a: stored({ user: 'victim' }), '': stored({ user: 'victim' }) };
      const store = Object.assign(new session.MemoryStore(), { sessions });
      const { ask } = await serve({ store }, (req, res) =>
        res.end(JSON.stringify([req.session.user, req.sessionID === 'a'])),
      );
      const right = decodeURIComponent(signed('a').slice('connect.sid='.length));
      assert.match((await ask(`connect.sid=${encodeURIComponent(right)}`)).text, /victim/);
      const forged = [
        'a',
        's:a',
        's:a.',
        's:.',
        's:',
        right.slice(2),
        `${right}A`,
        right.slice(0, -1),
        `${right}=`,
        right.toUpperCase(),
        right.replace('s:a', 's:b'),
        right.replace('.', '..'),
        signed('a', 'other').slice('connect.sid='.length),
        // The low byte of each character equals that of the signature.
        right.replace(/.$/, each => String.fromCharCode(each.charCodeAt(0) + 0x100)),
      ];
      for (const value of forged) {
        const { text } = await ask(`connect.sid=${encodeURIComponent(value)}`);
        assert.equal(text, '[null,false]', value);
      }
    });

    test('session: a signed ID that the store does not know is replaced (session fixation, CVE-2022-25896)', async () => {
      const { ask } = await serve({}, (req, res) => {
        req.session.user = 1;
        res.end(req.sessionID);
      });
      const { text, cookie } = await ask(signed('chosen'));
      assert.notEqual(text, 'chosen');
      assert.ok(!cookie!.includes('chosen'));
    });

    test('session: regenerate creates another ID and removes the old session from the store', async () => {
      const store = Object.assign(new session.MemoryStore(), {
        sessions: { a: stored({ user: 'guest' }) } as Record<string, string>,
      });
      const { ask } = await serve({ store }, async (req, res) => {
        await req.session.regenerate();
        req.session.user = 'tobi';
        res.end(req.sessionID);
      });
      const { text, cookie } = await ask(signed('a'));
      assert.deepEqual(Object.keys(store.sessions), [text]);
      assert.ok(cookie!.includes(text));
    });

    test('session: attributes that would add others to the cookie throw (CVE-2024-47764)', async () => {
      for (const cookie of [{ path: '/; Domain=evil' }, { domain: 'a;b' }]) {
        const { ask, errors } = await serve({ cookie: () => cookie }, (req, res) => {
          req.session.user = 1;
          res.end('ok');
        });
        const { cookie: set } = await ask();
        // Errors are reported after the response is sent.
        await until(() => errors.length > 0);
        assert.deepEqual([set, errors.length], [undefined, 1]);
      }
      for (const options of [
        { name: 'a=b; x' },
        { cookie: { path: '/; Domain=evil' } },
        { cookie: { domain: 'a;b' } },
      ])
        assert.throws(() => session({ ...OPTIONS, ...options }), TypeError);
    });

    test('session: any of several secrets is accepted, and the first one signs', async () => {
      const store = Object.assign(new session.MemoryStore(), { sessions: { a: stored({ user: 'tobi' }) } });
      const secret = ['new', 'old', Buffer.from('oldest'), 'x'.repeat(100)];
      const { ask } = await serve({ store, secret, rolling: true }, (req, res) =>
        res.end(String(req.session.user)),
      );
      for (const each of ['new', 'old', 'oldest', 'x'.repeat(100)]) {
        const { text, cookie } = await ask(signed('a', each));
        assert.deepEqual([text, cookie], ['tobi', signed('a', 'new')], each);
      }
      assert.equal((await ask(signed('a', 'other'))).text, 'undefined');
    });

    test('session: IDs have 24 random bytes, and no two are the same', async () => {
      const ids = new Set<string>();
      const { ask } = await serve({}, (req, res) => res.end(req.sessionID));
      for (let count = 0; count < 300; count++) ids.add((await ask()).text);
      assert.equal(ids.size, 300);
      for (const id of ids) assert.match(id, /^[\w-]{32}$/);
    });
  });

  describe('elsewhere', () => {
    test('session: works on http2', async () => {
      const middleware = session(OPTIONS);
      const { headers } = await askHttp2((req: Request, res: http.ServerResponse) => {
        middleware(req as never, res as never, () => {
          req.session.user = 1;
          res.end('ok');
        });
      });
      assert.match(headers['set-cookie']![0]!, /^connect\.sid=s%3A/);
    });

    test('session: a request without a response, such as a WebSocket’s, has a session', async () => {
      const store = Object.assign(new session.MemoryStore(), { sessions: { a: stored({ user: 'tobi' }) } });
      const req = { url: '/', headers: { cookie: signed('a') }, socket: {} } as unknown as Request;
      await new Promise(
        resolve => void session({ ...OPTIONS, store })(req as never, {} as never, resolve as never),
      );
      assert.equal(req.session.user, 'tobi');
      req.session.user = 'ws';
      await req.session.save();
      assert.match(store.sessions.a, /"user":"ws"/);
    });

    for (const on of ['ristretto', 'ristretto5'] as const) {
      test(`session: on ${on} a session is stored before the response arrives`, async () => {
        const order: string[] = [];
        const set = (_id: string, _data: unknown, done: Done): void => {
          setTimeout(() => {
            order.push('stored');
            done();
          }, 10);
        };
        const use: Use = (req, res) => {
          req.session.user = 1;
          if (req.url === '/pieces') res.write('a');
          res.end('b');
        };
        const { ask } = await serve({ store: storeWith({ set }) }, use, session, on);
        for (const target of ['/', '/pieces']) {
          await ask(undefined, target);
          order.push('received');
        }
        assert.deepEqual(order, ['stored', 'received', 'stored', 'received']);
      });
    }
  });
});
