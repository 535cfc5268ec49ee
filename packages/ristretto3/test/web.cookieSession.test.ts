/** `web.cookieSession`: keeps the session in a signed cookie, and sends it only when it changes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sign } from '../../engine/test/support/cookies.js';
import type { Handler } from 'ristretto3/lib/middleware/connect';
import { askAll, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

type Options = NonNullable<Parameters<Web['cookieSession']>[0]>;

const SECRET = 'keyboard cat';
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

/** Both use the same cookie name, and cookieParser, which only the oracle needs. */
const build =
  (handler: Handler, options: Options = {}) =>
  (web: Web) => [web.cookieParser(), web.cookieSession({ key: KEY, secret: SECRET, ...options }), handler];

describe('web.cookieSession', () => {
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
    const targets = [
      'http://x/admin',
      'http://x/admin/y?z',
      'http://x/other',
      'http://x/',
      '/admin',
      '//admin',
    ];
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
