import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import cookieParser from '@ristretto/cookie-parser';
import express from 'express';
import { ask } from '../../../engine/test/support/http.js';
import { words } from '../../../engine/test/support/random.js';

const original = createRequire(__filename)('cookie-parser') as typeof cookieParser;

type Request = Parameters<ReturnType<typeof cookieParser>>[0];

function requestWith(cookie: string | undefined, ...args: Parameters<typeof cookieParser>): Request {
  const req = { headers: { cookie } } as unknown as Request;
  cookieParser(...args)(req, {} as never, error => assert.equal(error, undefined));
  return req;
}

describe('cookie-parser', () => {
  test('cookie-parser: exports the members of the original, for import and for require', async () => {
    assert.deepEqual(Object.keys(cookieParser), Object.keys(original));
    const imported = Object.keys((await import('@ristretto/cookie-parser')) as object);
    for (const name of Object.keys(original)) assert.ok(imported.includes(name), name);
    assert.equal(cookieParser().name, 'cookieParser');
  });

  test('cookie-parser: the functions return the same as in the original', () => {
    const values = [
      ...words('j:{"a":1} j: j:0 x s: s:a.b s:a'),
      original.name,
      5,
      null,
      undefined,
      's:tobi.uLRSWfAhbPIWd1xgYQx3WmYSaHTrXy8XbPZXeYFVVGA',
    ];
    for (const value of values as string[]) {
      assert.deepEqual(cookieParser.JSONCookie(value), original.JSONCookie(value));
      for (const secret of ['keyboard cat', ['a', 'keyboard cat'], [], '', undefined] as string[]) {
        assert.equal(cookieParser.signedCookie(value, secret), original.signedCookie(value, secret));
        const [ours, theirs] = [{ a: value }, { a: value }];
        assert.deepEqual(
          { ...cookieParser.signedCookies(ours, secret) },
          { ...original.signedCookies(theirs, secret) },
        );
        assert.deepEqual(ours, theirs);
      }
    }
  });

  test('cookie-parser: cookies are parsed when they are read, once', () => {
    let count = 0;
    const decode = (text: string): string => {
      count++;
      return text;
    };
    const req = requestWith('a=1; b=2', undefined, { decode });
    assert.equal(count, 0);
    req.headers.cookie = 'changed=1';
    const { cookies } = req;
    assert.deepEqual({ ...cookies }, { a: '1', b: '2' });
    assert.equal(req.cookies, cookies);
    assert.equal(count, 2);
  });

  test('cookie-parser: tools that look for the properties find them', () => {
    const req = requestWith('a=1', 'secret');
    assert.deepEqual(Object.keys(req), ['headers', 'secret', 'cookies', 'signedCookies']);
    assert.ok(Object.hasOwn(req, 'cookies'));
    assert.deepEqual({ ...{ ...req }.cookies }, { a: '1' });
    req.cookies = { own: 1 };
    assert.deepEqual(Object.getOwnPropertyDescriptor(req, 'cookies'), {
      value: { own: 1 },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  });

  test('cookie-parser: an object that inherits from the request has its cookies, and can have its own', () => {
    const req = requestWith('a=1');
    const derived = Object.create(req) as Request;
    assert.deepEqual({ ...derived.cookies }, { a: '1' });
    derived.cookies = { b: 2 };
    assert.deepEqual({ ...req.cookies }, { a: '1' });
  });

  test('cookie-parser: names of members of objects change no prototype (CVE-2018-16487)', () => {
    const req = requestWith('__proto__=j:{"admin":true}; constructor=a; toString=b', 'secret');
    assert.equal((req.cookies as { admin?: unknown }).admin, undefined);
    assert.equal(Object.getPrototypeOf(req.cookies), Object.prototype);
    assert.deepEqual(Object.keys(req.cookies as object), ['constructor', 'toString']);
    assert.equal(({} as { admin?: unknown }).admin, undefined);
  });

  test('cookie-parser: a forged signature gives false, and any of several secrets is accepted (CVE-2016-1000236)', () => {
    const signed = (secret: string): string => {
      let text = '';
      const res = { req: { secret }, append: (_: string, value: string) => (text = value), app: {} };
      (express.response.cookie as (...args: unknown[]) => void).call(res, 'a', 'tobi', { signed: true });
      return text.split(';')[0]!;
    };
    const value = (header: string): unknown =>
      (requestWith(header, ['new', 'old']).signedCookies as { a: unknown }).a;
    assert.equal(value(signed('new')), 'tobi');
    assert.equal(value(signed('old')), 'tobi');
    for (const header of [
      signed('other'),
      signed('new').slice(0, -1),
      `${signed('new')}A`,
      'a=s:tobi',
      'a=s:tobi.',
      'a=s:',
    ]) {
      assert.equal(value(header), false, header);
    }
  });

  test('cookie-parser: a secret that cannot sign throws when the middleware is created', () => {
    assert.throws(() => cookieParser(5 as never), /Expected a secret .*, got number/);
    assert.throws(() => cookieParser(['a', undefined as never]), /Expected a secret .*, got undefined/);
  });

  test('cookie-parser: res.cookie signs with its secret', async () => {
    const app = express();
    app.use(cookieParser('keyboard cat') as never);
    app.get('/', (_req, res) => res.cookie('a', 'tobi', { signed: true }).end());
    const { headers } = await ask(app);
    const signed = decodeURIComponent(headers['set-cookie']!.split(/[=;]/)[1]!);
    assert.equal(cookieParser.signedCookie(signed, 'keyboard cat'), 'tobi');
  });
});
