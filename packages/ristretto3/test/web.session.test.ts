/** Cookies and sessions: `web.session`, `cookieSession`, `cookieParser`, `csrf`. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { sign } from '../../engine/test/support/cookies.js';
import { askPort, withServer } from '../../engine/test/support/http.js';
import type { Ask } from '../../engine/test/support/http.js';
import {
  askAll,
  chain,
  given,
  loose,
  oracle,
  post,
  postJson,
  sameEach,
  show,
  web,
} from './support/middleware.js';
import type { Web } from './support/middleware.js';
import { words } from '../../engine/test/support/random.js';

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

/** `web.session`: sessions in a store, with their cookie, their methods and the interface of old stores. */
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

  test('Store, MemoryStore, Session, Cookie: have the members that stores and applications use', () => {
    for (const [, { session }] of frameworks) {
      const store = new session.MemoryStore();
      assert.ok(store instanceof session.Store);
      assert.ok(store instanceof EventEmitter);
      const names = words('get set destroy regenerate load createSession all clear length touch');
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

const KEY = 'connect.sess';
const session = show(req => req.session);

/** Changes the session and responds. */
const change =
  (members: object): Handler =>
  (req, res) => {
    Object.assign(req.session as object, members);
    res.end('changed');
  };

const clear: Handler = (req, res) => {
  req.session = null;
  res.end('cleared');
};
const cookie = (value: string, name = KEY) => ({ headers: { Cookie: `${name}=${value}` } });
const known = cookie(sign('j:{"a":1}', SECRET));

/** `web.cookieSession`: keeps the session in a signed cookie. */
describe('web.cookieSession', () => {
  type Options = NonNullable<Parameters<Web['cookieSession']>[0]>;
  /** Both use the same cookie name, and cookieParser, which only the oracle needs. */
  const build =
    (handler: Handler, options: Options = {}) =>
    (web: Web) => [web.cookieParser(), web.cookieSession({ key: KEY, secret: SECRET, ...options }), handler];

  test('new session: is sent signed, with path and httpOnly', async () => {
    const [answer] = await sameEach(build(change({ a: 1 })), [{}]);
    assert.equal(answer!.headers['set-cookie'], `${KEY}=${sign('j:{"a":1}', SECRET)}; Path=/; HttpOnly`);
    await sameEach(build(session), [{}]);
  });

  test('known session: is read, and sent again only if it was changed', async () => {
    const [read] = await sameEach(build(session), [known]);
    assert.equal(JSON.parse(read!.text).a, 1);
    assert.equal(read!.headers['set-cookie'], undefined);
    const [changed] = await sameEach(build(change({ b: 2 })), [known]);
    assert.match(changed!.headers['set-cookie']!, /%22b%22%3A2/);
    const [same] = await sameEach(build(change({ a: 1 })), [known]);
    assert.equal(same!.headers['set-cookie'], undefined);
  });

  test('path: is taken from the URL in an absolute-form target, not from the whole target', async () => {
    const targets = words('http://x/admin http://x/admin/y?z http://x/other http://x/ /admin //admin');
    const answers = await sameEach(
      web => [
        web.cookieParser(),
        web.cookieSession({ key: KEY, secret: SECRET, cookie: { path: '/admin' } }),
        change({ a: 1 }),
      ],
      targets.map(path => ({ path })),
    );
    assert.deepEqual(
      answers.map(answer => 'set-cookie' in answer.headers),
      [true, true, false, false, true, false],
    );
  });

  test('null: clears the cookie', async () => {
    for (const answer of await sameEach(build(clear), [known, {}])) {
      assert.equal(
        answer.headers['set-cookie'],
        `${KEY}=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly`,
      );
    }
  });

  test('new object in place of the session: is sent instead', async () => {
    const replace: Handler = (req, res) => {
      req.session = { n: 1 };
      res.end();
    };
    const [answer] = await sameEach(build(replace), [known]);
    assert.match(answer!.headers['set-cookie']!, /j%3A%7B%22n%22%3A1%7D/);
  });

  test('forged and malformed cookies: start a new session', async () => {
    const requests = [
      cookie(sign('j:{"a":1}', SECRET) + 'x'),
      cookie(sign('j:{"a":1}', 'other')),
      cookie(sign('j:{bad', SECRET)),
      cookie(sign('text', SECRET)),
    ];
    for (const answer of await sameEach(build(session), requests)) {
      assert.deepEqual(Object.keys(JSON.parse(answer.text) as object), ['cookie']);
    }
    const odd = [
      cookie('j:{"a":1}'),
      cookie(sign('j:[1]', SECRET)),
      cookie(sign('j:1', SECRET)),
      cookie(sign('j:null', SECRET)),
    ];
    for (const answer of await askAll(build(session)(web), odd)) {
      assert.deepEqual(Object.keys(JSON.parse(answer.text) as object), ['cookie']);
    }
  });

  test('cookie: honours path, domain, httpOnly and maxAge', async () => {
    const options = { cookie: { path: '/a', domain: 'x.y', httpOnly: false } };
    const [outside, inside] = await sameEach(build(change({ b: 2 }), options), [
      { path: '/' },
      { path: '/a/b' },
    ]);
    assert.equal(outside!.headers['set-cookie'], undefined);
    assert.match(inside!.headers['set-cookie']!, /; Domain=x\.y; Path=\/a$/);
    const [timed] = await askAll(build(change({ b: 2 }), { cookie: { maxAge: 60_000 } })(web), [{}]);
    const expires = Date.parse(/Expires=([^;]+)/.exec(timed!.headers['set-cookie']!)![1]!);
    assert.ok(Math.abs(expires - Date.now() - 60_000) < 5_000);
  });

  test('cookie: maxAge can be set for one session', async () => {
    const forAWhile: Handler = (req, res) => {
      (req.session as { cookie: { maxAge: number } }).cookie.maxAge = 60_000;
      // In seconds: Express subtracts the milliseconds that have passed since
      const { originalMaxAge } = (req.session as { cookie: { originalMaxAge: number } }).cookie;
      res.end(String(Math.round(originalMaxAge / 1000)));
    };
    const [answer] = await sameEach(build(forAWhile), [{}], { fields: ['set-cookie'] });
    assert.equal(answer!.text, '60');
    assert.match(answer!.headers['set-cookie']!, /Expires=/);
  });

  test('secure: is sent over TLS, or if a trusted proxy reports TLS', async () => {
    const forwarded = ['https', 'HTTPS', 'https, http', 'http', 'http, https'].map(proto => ({
      headers: { 'X-Forwarded-Proto': proto },
    }));
    const cookie = { secure: true };
    const sent = async (proxy: boolean) =>
      (await sameEach(build(change({ a: 1 }), { cookie, proxy }), [{}, ...forwarded])).map(
        answer => answer.headers['set-cookie'] !== undefined,
      );
    assert.deepEqual(await sent(false), [false, false, false, false, false, false]);
    assert.deepEqual(await sent(true), [false, true, true, true, false, false]);
    const encrypted: Handler = (req, _res, next) => {
      Object.assign(req.socket, { encrypted: true });
      next();
    };
    const [tls] = await askAll([encrypted, ...build(change({ a: 1 }), { cookie })(web)], [{}]);
    assert.match(tls!.headers['set-cookie']!, /; Secure$/);
  });

  test('secret: comes from cookieParser; without it, it is an error', async () => {
    const parsed = (web: Web) => [
      web.cookieParser(SECRET),
      web.cookieSession({ key: KEY }),
      change({ b: 2 }),
    ];
    const [answer] = await sameEach(parsed, [known]);
    assert.match(answer!.headers['set-cookie']!, /%22a%22%3A1%2C%22b%22%3A2/);
    const none = await askAll([web.cookieSession(), session], [{}]);
    assert.match(none[0]!.text, /^500 `secret` option required for cookie sessions/);
  });

  test('secret: with that of cookieParser, an unchanged session is sent again, which renews its expiry', async () => {
    const parsed = (web: Web) => [
      web.cookieParser(SECRET),
      web.cookieSession({ key: KEY, cookie: { path: '/', expires: new Date(2e12) } as never }),
      show(req => (req.session as { a: number }).a),
    ];
    const [answer] = await sameEach(parsed, [known]);
    assert.match(answer!.headers['set-cookie']!, /%22a%22%3A1.*; Expires=/);
  });

  test('key: is web.sess by default, and sessions stored by Express in connect.sess still work', async () => {
    const links = (handler: Handler) => [web.cookieSession({ secret: SECRET }), handler];
    const [fresh] = await askAll(links(change({ a: 1 })), [{}]);
    assert.match(fresh!.headers['set-cookie']!, /^web\.sess=/);
    const [moved] = await askAll(links(session), [known]);
    assert.equal(JSON.parse(moved!.text).a, 1);
    assert.equal(moved!.headers['set-cookie'], `web.sess=${sign('j:{"a":1}', SECRET)}; Path=/; HttpOnly`);
    const [cleared] = await askAll(links(clear), [known]);
    const fields = cleared!.rawHeaders
      .filter(([name]) => name === 'Set-Cookie')
      .map(([, value]) => value.split(';')[0]);
    assert.deepEqual(fields, ['web.sess=', 'connect.sess=']);
    const both = { headers: { Cookie: `${known.headers.Cookie}; web.sess=${sign('j:{"a":2}', SECRET)}` } };
    assert.equal(JSON.parse((await askAll(links(session), [both]))[0]!.text).a, 2);
  });

  test('two of them: each middleware sends its own cookie', async () => {
    const two = (web: Web) => [
      web.cookieParser(),
      web.cookieSession({ key: 'a', secret: SECRET }),
      web.cookieSession({ key: 'b', secret: SECRET }),
      change({ n: 1 }),
    ];
    const [answer] = await sameEach(two, [{}]);
    assert.equal(answer!.rawHeaders.filter(([name]) => name === 'Set-Cookie').length, 2);
  });
});

const seen = show(req => [req.cookies, req.signedCookies, req.secret]);
const cookies = (...pairs: string[]) => ({ headers: { Cookie: pairs.join('; ') } });

/** `web.cookieParser`: the package @ristretto/cookie-parser, whose tests hold how cookies are parsed. */
describe('web.cookieParser', () => {
  test('cookies: plain, JSON and signed ones are parsed, and without a secret none is signed', async () => {
    const header = cookies(
      ...['a=1', 'b=x%20y', 'a=2', 'c="quoted"', 'd=%', 'e=%6A%3A[1]', 'f', 'g=', '=h', ' i = j '],
      ...['k=j:{"x":1}', 'l=j:{bad', 'm=j:', 'n=j:"text"', 'o=j:null', 'p=j:0', 'q=s:nosignature'],
      `r=${sign('tobi', 'secret')}`,
      `s=${sign('tobi', 'other')}`,
      `t=${sign('j:{"x":1}', 'secret')}`,
    );
    const [answer, none] = await sameEach(web => [web.cookieParser('secret'), seen], [header, {}]);
    const plain = { a: '1', b: 'x y', c: 'quoted', d: '%', e: [1], g: '', '': 'h', i: 'j' };
    const json = { k: { x: 1 }, l: 'j:{bad', m: 'j:', n: 'text', o: 'j:null', p: 'j:0' };
    const signed = { q: false, r: 'tobi', s: false, t: { x: 1 } };
    assert.deepEqual(JSON.parse(answer!.text), [{ ...plain, ...json }, signed, 'secret']);
    assert.equal(none!.text, '[{},{},"secret"]');
    const [without] = await sameEach(web => [web.cookieParser(), seen], [header]);
    assert.deepEqual(JSON.parse(without!.text)[1], {});
  });

  test('req.cookies: an existing value is kept', async () => {
    const build = (web: Web) => [given({ cookies: { z: 1 } }), web.cookieParser('secret'), seen];
    const [answer] = await sameEach(build, [cookies('a=1')]);
    assert.equal(answer!.text, '[{"z":1},null,null]');
  });

  test('decode: decodes the values', async () => {
    const decode = (text: string) => text.toUpperCase();
    const [answer] = await sameEach(
      web => [web.cookieParser('secret', { decode }), seen],
      [cookies('a=x%20')],
    );
    assert.deepEqual(JSON.parse(answer!.text)[0], { a: 'X%20' });
  });

  test('secret: throws for anything but a string', () => {
    for (const secret of [1, {}, ['a'], true]) {
      assert.throws(
        () => loose(web.cookieParser)(secret),
        /^TypeError: cookieParser\(\): expected the secret to be a string, got /,
      );
    }
  });

  test('helpers: include JSONCookie, JSONCookies, signedCookie, signedCookies', () => {
    const signed = decodeURIComponent(sign('v', 'k'));
    for (const { cookieParser } of [web, oracle]) {
      assert.deepEqual(cookieParser.JSONCookie('j:{"a":1}'), { a: 1 });
      assert.equal(cookieParser.JSONCookie('text'), undefined);
      assert.equal(cookieParser.JSONCookie('j:{'), undefined);
      assert.equal(cookieParser.JSONCookie(undefined), undefined);
      const all = { a: 'j:[1]', b: 'x' };
      assert.equal(cookieParser.JSONCookies(all), all);
      assert.deepEqual(all, { a: [1], b: 'x' });
      assert.equal(cookieParser.signedCookie(signed, 'k'), 'v');
      assert.equal(cookieParser.signedCookie('s:v.x', 'k'), false);
      assert.equal(cookieParser.signedCookie('plain', 'k'), 'plain');
      const some = { a: signed, b: 's:bad.x', c: 'plain' };
      assert.deepEqual({ ...cookieParser.signedCookies(some, 'k') }, { a: 'v', b: false });
      assert.deepEqual(some, { c: 'plain' });
    }
    assert.equal(web.cookieParser.signedCookie(1, 'k'), undefined);
  });
});

const token: Handler = show(req => (req as unknown as { csrfToken(): string }).csrfToken());
const answer = show(() => 'ok');
const statuses = (answers: { status: number }[]) => answers.map(one => one.status);

/** `web.csrf`: which requests need a token, where it may be, and which tokens are rejected. */
describe('web.csrf', () => {
  type Options = Parameters<Web['csrf']>[0];
  /** A chain that shares a session, so that a token from one request is valid in the next. */
  const protectedBy =
    (session: object, handler = answer, options?: Options) =>
    (web: Web) => [
      given({ session }),
      web.query() as unknown as Handler,
      web.json(),
      web.urlencoded(),
      web.csrf(options),
      handler,
    ];
  async function tokenOf(session: object): Promise<string> {
    const [first] = await askAll(protectedBy(session, token)(web), [{}]);
    return JSON.parse(first!.text);
  }

  test('methods: GET, HEAD and OPTIONS need no token', async () => {
    const requests = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'].map(method => ({
      method,
    }));
    const answers = await sameEach(protectedBy({}), requests);
    assert.deepEqual(statuses(answers), [200, 200, 200, 403, 403, 403, 403, 403]);
    assert.equal(answers[3]!.text, '403 invalid csrf token EBADCSRFTOKEN');
  });

  test('token: is read from the body, the query and the headers', async () => {
    const session = {};
    const value = await tokenOf(session);
    const requests: Ask[] = [
      postJson({ _csrf: value }),
      post('application/x-www-form-urlencoded', `_csrf=${value}`),
      { method: 'POST', path: `/?_csrf=${value}` },
      ...['X-CSRF-Token', 'CSRF-Token', 'X-XSRF-Token', 'XSRF-Token'].map(name => ({
        method: 'POST',
        headers: { [name]: value },
      })),
    ];
    // Each accepts the other's tokens, so sessions survive a migration.
    assert.deepEqual(new Set(statuses(await sameEach(protectedBy(session), requests))), new Set([200]));
  });

  test('CVE-2026-15747: token: differs for each form, and each is valid only in its session', async () => {
    const session = {};
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(session)));
    assert.equal(new Set(tokens).size, 20);
    const requests = tokens.map(value => postJson({ _csrf: value }));
    assert.deepEqual(new Set(statuses(await sameEach(protectedBy(session), requests))), new Set([200]));
    assert.deepEqual(new Set(statuses(await sameEach(protectedBy({}), requests))), new Set([403]));
    const empty = await askAll(protectedBy({ csrfSecret: '' })(web), requests);
    assert.deepEqual(new Set(statuses(empty)), new Set([403]));
  });

  test('token: a wrong or non-string token is rejected', async () => {
    const session = {};
    const value = await tokenOf(session);
    const wrong = ['x', '', null, 1, {}, [value], `${value}x`, value.slice(1)].map(one =>
      postJson({ _csrf: one }),
    );
    assert.deepEqual(new Set(statuses(await askAll(protectedBy(session)(web), wrong))), new Set([403]));
  });

  test('value: reads the token', async () => {
    const session = {};
    const options: Options = { value: req => req.headers['x-mine'] };
    const value = await tokenOf(session);
    const answers = await sameEach(protectedBy(session, answer, options), [
      { method: 'POST', headers: { 'X-Mine': value } },
      { method: 'POST', headers: { 'X-CSRF-Token': value } },
    ]);
    assert.deepEqual(statuses(answers), [200, 403]);
  });

  test('ignoreMethods: exempts these methods and no others', async () => {
    const build = protectedBy({}, answer, { ignoreMethods: ['post'] });
    assert.deepEqual(statuses(await sameEach(build, [{ method: 'POST' }, { method: 'GET' }])), [200, 403]);
  });

  test('sessionKey: is the name of the session property', async () => {
    const build = (web: Web) => [given({ mine: {} }), web.csrf({ sessionKey: 'mine' }), answer];
    assert.equal((await askAll(build(web), [{}]))[0]!.status, 200);
  });

  test('session: is required, else sends 500', async () => {
    const [none] = await askAll([web.csrf(), answer], [{}]);
    assert.match(none!.text, /^500 misconfigured csrf/);
  });

  test('session: a token belongs to the session at the time the token is requested', async () => {
    const next = {};
    const login: Handler = (req, res, done) => {
      req.session = next;
      token(req, res, done);
    };
    const [given] = await askAll(protectedBy({}, login)(web), [{}]);
    const request = postJson({ _csrf: JSON.parse(given!.text) });
    assert.deepEqual(statuses(await askAll(protectedBy(next)(web), [request])), [200]);
  });

  test('method override: a POST overridden to GET needs a token (Express 3 lets it pass)', async () => {
    const build = (web: Web) => [
      given({ session: {} }),
      web.json(),
      web.methodOverride(),
      web.csrf(),
      answer,
    ];
    const answers = await askAll(build(web), [postJson({ _method: 'GET' }), postJson({ _method: 'DELETE' })]);
    assert.deepEqual(statuses(answers), [403, 403]);
  });

  test('cookie: is rejected, since a secret in a cookie is not bound to a session', () => {
    assert.throws(
      () => loose(web.csrf)({ cookie: true }),
      /^TypeError: csrf\(\) keeps its secret in the session/,
    );
    assert.doesNotThrow(() => loose(web.csrf)({ cookie: false }));
  });
});
