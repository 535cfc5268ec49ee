/** `res.cookie` and `res.clearCookie`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CookieOptions, Request, Response } from 'express';
import fc from 'fast-check';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

const setting = (name: unknown, value: unknown, ...options: unknown[]) =>
  answering((_req, res) => void loose(res).cookie!(name, value, ...options).end());

const withSecret = (secret: unknown, use: (res: Response) => unknown) =>
  answering((req, res) => {
    (req as Request & { secret: unknown }).secret = secret;
    use(res);
    res.end();
  });

describe('res.cookie', () => {
  test('value: text is encoded', async () => {
    const answer = await same(setting('name', 'tobi & co; é\r\n'));
    assert.equal(answer.headers['set-cookie'], 'name=tobi%20%26%20co%3B%20%C3%A9%0D%0A; Path=/');
    for (const value of ['', 5, true, undefined, () => 1, 10n]) await same(setting('name', value));
  });

  test('value: objects become JSON with the prefix j:', async () => {
    const answer = await same(setting('cart', { items: [1, 2] }));
    assert.equal(answer.headers['set-cookie'], 'cart=j%3A%7B%22items%22%3A%5B1%2C2%5D%7D; Path=/');
    for (const value of [null, [], [1], new Date(0)]) await same(setting('name', value));
  });

  test('called several times: sends several headers', async () => {
    const answer = await same(
      answering((_req, res) => void res.cookie('a', '1').cookie('b', '2').cookie('a', '3').end()),
    );
    assert.equal(answer.rawHeaders.filter(([name]) => name === 'Set-Cookie').length, 3);
  });

  test('maxAge: takes milliseconds and sets Max-Age in seconds and Expires', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 1.7e12 });
    const answer = await same(setting('a', 'b', { maxAge: 1500 }));
    assert.equal(
      answer.headers['set-cookie'],
      'a=b; Max-Age=1; Path=/; Expires=Tue, 14 Nov 2023 22:13:21 GMT',
    );
    for (const maxAge of [0, -1, 999, 1000.5, '5000', null, undefined, true, 1e15]) {
      await same(setting('a', 'b', { maxAge }));
    }
    await same(setting('a', 'b', { maxAge: 5000, expires: new Date(5e11) }));
  });

  test('maxAge: a value that is not a number throws a TypeError', async () => {
    for (const maxAge of ['x', NaN, {}]) {
      assert.match((await same(setting('a', 'b', { maxAge }))).text, /^TypeError: option maxAge is invalid/);
    }
    await same(setting('a', 'b', { maxAge: Infinity }));
  });

  test('expires: takes a Date', async () => {
    await same(setting('a', 'b', { expires: new Date(1e12) }));
    for (const expires of [0, null, 'tomorrow', new Date(NaN)]) await same(setting('a', 'b', { expires }));
  });

  test('expires: 0 or none creates a session cookie', async () => {
    for (const options of [{ expires: 0 }, { expires: undefined }, {}, undefined]) {
      const answer = await same(setting('a', 'b', options as never));
      assert.equal(answer.headers['set-cookie'], 'a=b; Path=/');
    }
  });

  test('path: defaults to /', async () => {
    for (const path of ['/admin', '', null, undefined]) await same(setting('a', 'b', { path }));
  });

  test('domain, secure, httpOnly, partitioned, priority, sameSite, encode: become attributes', async () => {
    const all: CookieOptions[] = [
      { domain: 'example.com' },
      { secure: true },
      { httpOnly: true },
      { partitioned: true },
      { priority: 'low' },
      { priority: 'medium' },
      { priority: 'high' },
      { sameSite: true },
      { sameSite: false },
      { sameSite: 'lax' },
      { sameSite: 'strict' },
      { sameSite: 'none' },
      { encode: value => value.toUpperCase() },
    ];
    for (const options of all) await same(setting('a', 'b', options));
    const wrong = [{ priority: 'x' }, { sameSite: 'x' }, { encode: 5 }, { domain: 'a b' }];
    for (const options of wrong) assert.match((await same(setting('a', 'b', options))).text, /^TypeError: /);
  });

  test('options: inherited ones count, and the object is not changed', async () => {
    const options = Object.assign(Object.create({ httpOnly: true, secure: true }) as object, { path: '/x' });
    const answer = await same(setting('a', 'b', options));
    assert.equal(answer.headers['set-cookie'], 'a=b; Path=/x; HttpOnly; Secure');
    const kept = Object.freeze({ maxAge: 0 });
    assert.equal((await same(setting('a', 'b', kept))).status, 200);
    for (const none of [undefined, null]) await same(setting('a', 'b', none));
  });

  test('options: random combinations match Express', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 1.7e12 });
    const options = fc.record(
      {
        domain: fc.constantFrom('example.com', '.a.b', ''),
        expires: fc.constantFrom(new Date(0), new Date(1e12)),
        httpOnly: fc.boolean(),
        maxAge: fc.constantFrom(0, 1, 1001, -5, 3.6e6),
        path: fc.constantFrom('/', '/x', 'x;y'),
        partitioned: fc.boolean(),
        priority: fc.constantFrom('low', 'HIGH', 'wrong'),
        secure: fc.boolean(),
        sameSite: fc.constantFrom(true, false, 'Lax', 'wrong'),
      },
      { requiredKeys: [] },
    );
    const cases = fc.sample(fc.tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 9 }), options), {
      seed: 13,
      numRuns: 120,
    });
    await sameEach(
      answering((req, res) => {
        const [name, value, given] = cases[Number(req.url.slice(1))]!;
        res.cookie(name, value, given as CookieOptions).end();
      }),
      cases.map((_case, at) => `/${at}`),
    );
  });

  test('signed: sends the value with its signature and the prefix s:', async () => {
    const answer = await same(withSecret('foo bar baz', res => res.cookie('name', 'tobi', { signed: true })));
    assert.match(answer.headers['set-cookie']!, /^name=s%3Atobi\.[^;]+; Path=\/$/);
    await same(withSecret('key', res => res.cookie('cart', { a: 1 }, { signed: true })));
  });

  test('signed without a secret: throws an Error', async () => {
    for (const secret of [undefined, '']) {
      const answer = await same(withSecret(secret, res => res.cookie('a', 'b', { signed: true })));
      assert.ok(answer.text.startsWith('Error: cookieParser("secret") required for signed cookies'));
    }
  });

  test('CVE-2024-47764: a name, path or domain that would add attributes throws a TypeError', async () => {
    const hostile: [string, unknown][] = [
      ['a; Max-Age=1', {}],
      ['a=b', {}],
      ['', {}],
      ['a', { path: '/; Domain=evil.example' }],
      ['a', { domain: 'a.b; Max-Age=1' }],
      ['a', { encode: () => 'b; HttpOnly' }],
      ['a\r\n', {}],
    ];
    for (const [name, options] of hostile) {
      const answer = await same(setting(name, 'x', options));
      assert.match(answer.text, /^TypeError: /);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.cookie('a', 'b')));
  });
});

const clearing = (options?: CookieOptions) =>
  answering((_req, res) => void res.clearCookie('sid', options).end());

describe('res.clearCookie', () => {
  test('name: sends an empty cookie that has expired', async () => {
    const answer = await same(clearing());
    assert.equal(answer.headers['set-cookie'], 'sid=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  });

  test('options: set the attributes of the cookie', async () => {
    for (const options of [
      { path: '/admin' },
      { domain: 'a.b', secure: true, httpOnly: true, sameSite: true },
    ]) {
      await same(clearing(options));
    }
  });

  test('maxAge: is deprecated, but takes effect', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 1.7e12 });
    const notices = await sameNotices(
      answering((_req, res) => void res.clearCookie('sid', { maxAge: 900, path: '/x' }).end()),
    );
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /^res\.clearCookie: Passing "options\.maxAge" is deprecated\. /);
    await same(clearing({ maxAge: 0 }));
  });

  test('expires: is deprecated, but takes effect', async () => {
    const notices = await sameNotices(
      answering((_req, res) => void res.clearCookie('sid', { expires: new Date(1e12) }).end()),
    );
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /^res\.clearCookie: Passing "options\.expires" is deprecated\. /);
    await same(clearing({ expires: undefined }));
  });

  test('maxAge and expires: log both deprecation notices', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 1.7e12 });
    const notices = await sameNotices(
      answering((_req, res) => void res.clearCookie('sid', { expires: new Date(1e12), maxAge: 1 }).end()),
    );
    assert.equal(notices.length, 2);
  });

  test('signed: requires the secret', async () => {
    assert.match((await same(clearing({ signed: true }))).text, /^Error: cookieParser\("secret"\) required/);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.clearCookie('a')));
  });
});
