import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import cookieSession from '@ristretto/cookie-session';
import { ask } from '../../../engine/test/support/http.js';
import { application } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';

const load = createRequire(__filename);
const original = load('cookie-session') as typeof cookieSession;

interface LoginRequest extends Request {
  user?: unknown;
  login(user: unknown, done: (error?: unknown) => void): void;
  logout(done: (error?: unknown) => void): void;
}
interface Passport {
  serializeUser(serialize: (user: unknown, done: (error: unknown, text: unknown) => void) => void): void;
  deserializeUser(read: (text: unknown, done: (error: unknown, user: unknown) => void) => void): void;
  initialize(): Handler;
  session(): Handler;
}

type Request = Parameters<Handler>[0] & { session: Record<string, unknown> | null };

const KEYS = ['keyboard cat', 'older'];

/** Sends a request with cookies to a middleware; returns the body and the cookies that the client then has. */
async function visit(
  middleware: typeof cookieSession,
  options: object,
  cookie: string,
  use: (req: Request, res: Parameters<Handler>[1]) => unknown,
  on: FrameworkName = 'express4',
): Promise<{ text: string; cookie: string; headers: string[] }> {
  const handlers = [middleware({ keys: KEYS, ...options }), use] as unknown as Handler[];
  const { text, rawHeaders } = await ask(application(on, handlers), {
    headers: cookie ? { Cookie: cookie } : {},
  });
  const headers = rawHeaders.filter(([name]) => /^set-cookie$/i.test(name)).map(([, value]) => value);
  return { text, headers, cookie: headers.map(each => each.split(';')[0]!).join('; ') };
}

const count = (req: Request, res: Parameters<Handler>[1]): void => {
  req.session!.views = ((req.session!.views as number | undefined) ?? 0) + 1;
  res.end(String(req.session!.views));
};

describe('cookie-session', () => {
  test('cookie-session: clients keep their sessions across a switch, in both directions', async () => {
    const first = await visit(original, {}, '', count);
    const second = await visit(cookieSession, {}, first.cookie, count, 'ristretto');
    const third = await visit(original, {}, second.cookie, count);
    assert.deepEqual([first.text, second.text, third.text], ['1', '2', '3']);
  });

  test('cookie-session: a changed value or signature gives an empty session', async () => {
    const { cookie } = await visit(cookieSession, {}, '', count);
    const [value, signature] = cookie.split('; ') as [string, string];
    const other = `session=${Buffer.from('{"views":99}').toString('base64')}`;
    const forged = [
      value,
      `${other}; ${signature}`,
      `${value}; ${signature}A`,
      `${value}; ${signature.slice(0, -1)}`,
      `${value}; session.sig=`,
      `${value}; ${signature.toUpperCase()}`,
    ];
    assert.equal((await visit(cookieSession, {}, cookie, count)).text, '2');
    for (const each of forged) assert.equal((await visit(cookieSession, {}, each, count)).text, '1', each);
    assert.equal((await visit(cookieSession, { keys: ['other'] }, cookie, count)).text, '1');
  });

  test('cookie-session: no cookie is sent twice with Express 3, which adds to cookies that are already set', async () => {
    const cookie = `session=${Buffer.from('null').toString('base64')}; session.sig=forged`;
    for (const on of ['ristretto3', 'express4'] as const) {
      const theirs = await visit(original, {}, cookie, count, on);
      const ours = await visit(cookieSession, {}, cookie, count, on);
      assert.deepEqual(ours.headers, theirs.headers);
      assert.equal(ours.headers.length, 2);
    }
  });

  test('cookie-session: a signature of an older key is renewed', async () => {
    const old = await visit(cookieSession, { keys: ['older'] }, '', count);
    const { headers, text } = await visit(cookieSession, {}, old.cookie, (req, res) =>
      res.end(String(req.session!.views)),
    );
    assert.equal(text, '1');
    assert.match(headers.join(), /^session\.sig=[\w-]{27}; path=\/; httponly$/);
  });

  test('cookie-session: keys that are replaced while the application runs take effect', async () => {
    const keys = ['a'];
    const middleware = cookieSession({ keys });
    const shared = (() => middleware) as unknown as typeof cookieSession;
    const first = await visit(shared, {}, '', count);
    keys.unshift('b');
    const second = await visit(shared, {}, first.cookie, count);
    keys.pop();
    const third = await visit(shared, {}, second.cookie, count);
    assert.deepEqual(
      [second.text, third.text, (await visit(shared, {}, first.cookie, count)).text],
      ['2', '3', '1'],
    );
  });

  test('cookie-session: the data of a cookie can set neither a prototype nor the state', async () => {
    const value = Buffer.from(
      '{"__proto__":{"admin":true},"isNew":true,"_ctx":{"_new":true},"a":1}',
    ).toString('base64');
    const { text } = await visit(cookieSession, { signed: false }, `session=${value}`, (req, res) =>
      res.end(JSON.stringify([req.session, req.session!.admin, req.session!.isNew])),
    );
    assert.equal(text, '[{"a":1},null,false]');
  });

  test('cookie-session: a forged signature that is found after the headers were sent does not throw', async () => {
    const { text } = await visit(cookieSession, {}, 'session=e30=; session.sig=forged', (req, res) => {
      res.write('first ');
      res.end(JSON.stringify(req.session));
    });
    assert.equal(text, 'first {}');
  });

  test('cookie-session: a session that is not read is neither verified nor sent', async () => {
    const keys = {
      sign: () => assert.fail('signed'),
      index: () => assert.fail('verified'),
      verify: () => assert.fail('verified'),
    };
    const { headers } = await visit(cookieSession, { keys }, 'session=e30=; session.sig=a', (_req, res) =>
      res.end(),
    );
    assert.deepEqual(headers, []);
  });

  test('cookie-session: prints the debug messages of the original', () => {
    const program = (name: string): string => `
      const { createHmac } = require('node:crypto');
      const http = require('node:http');
      const make = require('${name}');
      const sign = text => createHmac('sha1', 'a').update(text).digest('base64url');
      const cookie = 'session=e30=; session.sig=' + sign('session=e30=');
      const visits = [
        [{}, '', req => (req.session.user = 1)],
        [{}, cookie, req => (req.session.user = 1)],
        [{}, cookie, req => (req.session = null)],
        [{}, 'session=e30=; session.sig=x', req => req.session.user],
        [{ secure: true }, '', req => (req.session.user = 1)],
        [{ domain: 'a;b' }, '', req => (req.session.user = 1)],
      ];
      (async () => {
        for (const [options, cookie, use] of visits) {
          const handle = make({ keys: ['a'], ...options });
          const server = http.createServer((req, res) => handle(req, res, () => res.end(String(use(req)))));
          await new Promise(resolve => server.listen(0, resolve));
          await fetch('http://localhost:' + server.address().port, { headers: { cookie } }).then(res => res.text());
          server.close();
          server.closeAllConnections();
        }
      })();`;
    const print = (name: string): string => {
      const env = { ...process.env, NODE_OPTIONS: '', DEBUG: 'cookie-session' };
      const { stderr } = spawnSync(process.execPath, ['-e', program(name)], { env, encoding: 'utf8' });
      // It uses another version of debug, which prints another date.
      return stderr.replace(/\w+, \d+ \w+ \d+ [\d:]+ GMT|[\d-]+T[\d:.]+Z/g, 'date');
    };
    const ours = print('@ristretto/cookie-session');
    for (const message of [
      'new session',
      'parse e30=',
      'save session',
      'remove session',
      'error saving session',
    ])
      assert.match(ours, new RegExp(`cookie-session ${message}`));
    assert.equal(ours, print('cookie-session'));
  });

  test('cookie-session: options that can never work throw an error with the value', () => {
    assert.throws(() => cookieSession({}), /\.keys required\./);
    assert.throws(() => cookieSession({ keys: ['a'], name: 'a;b' }), /Expected a name .*, got "a;b"/);
    const wrong: [object, RegExp][] = [
      [{ keys: [undefined] }, /^TypeError: Expected a secret .*, got undefined/],
      [{ keys: 'abc' }, /^TypeError: Expected keys to be an array of secrets, or a Keygrip, got 'abc'/],
      [{ keys: undefined, secret: 5 }, /^TypeError: Expected a secret .*, got number/],
      [{ maxAge: '1d' }, /^TypeError: option maxAge is invalid: '1d'/],
      [{ sameSite: 'relaxed' }, /^TypeError: option sameSite is invalid: 'relaxed'/],
      [{ priority: 'urgent' }, /^TypeError: option priority is invalid: 'urgent'/],
    ];
    for (const [options, message] of wrong) {
      const given = { keys: ['a'], ...options } as CookieSessionInterfaces.CookieSessionOptions;
      assert.throws(() => cookieSession(given), message);
    }
  });

  test('cookie-session: a path or domain that no cookie can have sets none, as with the original', async () => {
    for (const options of [{ path: '/\n' }, { domain: 'a\n' }])
      for (const middleware of [original, cookieSession]) {
        const { text, headers } = await visit(middleware, options, '', count);
        assert.deepEqual([text, headers], ['1', []]);
      }
  });

  test('regenerate: Passport logs in and out, and the client loses the old session', async () => {
    const passport = new (load('passport') as { Passport: new () => Passport }).Passport();
    passport.serializeUser((user, done) => done(null, user));
    passport.deserializeUser((user, done) => done(null, user));
    const session = cookieSession({ keys: KEYS, regenerate: true }) as unknown as Handler;
    const handle: Handler = async (given, res, next) => {
      const req = given as LoginRequest;
      const done = (error?: unknown): void => (error ? next(error) : void res.end());
      if (req.url === '/login') req.login({ name: 'ada' }, done);
      else if (req.url === '/logout') req.logout(done);
      else if (req.url === '/') res.end(JSON.stringify([req.user ?? null, Object.keys(req.session!)]));
      else if (req.url === '/promise') await (req.session!.regenerate as () => Promise<void>)().then(done);
      else res.end(String(Object.assign(req.session!, { cart: 1 })));
    };
    const app = application('express4', [session, passport.initialize(), passport.session(), handle]);
    let cookie = '';
    const get = async (path: string): Promise<unknown> => {
      const { status, rawHeaders, text } = await ask(app, {
        path,
        headers: cookie ? { Cookie: cookie } : {},
      });
      assert.equal(status, 200, text);
      const sent = rawHeaders.filter(([name]) => /^set-cookie$/i.test(name));
      if (sent.length > 0) cookie = sent.map(([, value]) => value.split(';')[0]!).join('; ');
      return path === '/' ? JSON.parse(text) : undefined;
    };
    await get('/set');
    await get('/login');
    assert.deepEqual(await get('/'), [{ name: 'ada' }, ['passport']]);
    await get('/logout');
    assert.deepEqual(await get('/'), [null, []]);
    await get('/set');
    await get('/promise');
    assert.deepEqual(await get('/'), [null, []]);
  });

  test('regenerate: without the option, sessions have no such members, and data of these names is kept', async () => {
    const keys = (req: Request, res: Parameters<Handler>[1]): void => {
      req.session!.save ??= 'data';
      res.end(JSON.stringify([req.session!.save, typeof req.session!.regenerate]));
    };
    const first = await visit(cookieSession, {}, '', keys);
    const second = await visit(cookieSession, {}, first.cookie, keys);
    assert.deepEqual([first.text, second.text], ['["data","undefined"]', '["data","undefined"]']);
  });
});
