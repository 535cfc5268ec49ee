/** `web.cookieParser`: parses plain, signed and JSON cookies, and the helper functions for them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sign } from '../../engine/test/support/cookies.js';
import { askAll, given, loose, oracle, sameEach, show, web } from './support/middleware.js';
import type { Web } from './support/middleware.js';

const seen = show(req => [req.cookies, req.signedCookies, req.secret]);
const cookies = (...pairs: string[]) => ({ headers: { Cookie: pairs.join('; ') } });

describe('web.cookieParser', () => {
  test('no cookies: sets empty objects', async () => {
    for (const args of [[], ['secret']]) {
      const [answer] = await sameEach(web => [loose(web.cookieParser)(...args), seen], [{}]);
      assert.equal(answer!.text, JSON.stringify([{}, {}, args[0] ?? null]));
    }
  });

  test('cookies: are decoded, by name, and the first one with a name wins', async () => {
    const header = cookies(
      'a=1',
      'b=x%20y',
      'a=2',
      'c="quoted"',
      'd=%',
      'e=%6A%3A[1]',
      'f',
      'g=',
      '=h',
      ' i = j ',
    );
    const [answer] = await sameEach(web => [web.cookieParser(), seen], [header]);
    const expected = { a: '1', b: 'x y', c: 'quoted', d: '%', e: [1], g: '', '': 'h', i: 'j' };
    assert.deepEqual(JSON.parse(answer!.text)[0], expected);
  });

  test('JSON cookies: are parsed; malformed ones stay text', async () => {
    const header = cookies('a=j:{"x":1}', 'b=j:{bad', 'c=j:', 'd=j:[1,2]', 'e=j:"text"', 'f=j:null', 'g=j:0');
    const [answer] = await sameEach(web => [web.cookieParser(), seen], [header]);
    const expected = { a: { x: 1 }, b: 'j:{bad', c: 'j:', d: [1, 2], e: 'text', f: 'j:null', g: 'j:0' };
    assert.deepEqual(JSON.parse(answer!.text)[0], expected);
  });

  test('signed cookies: are separate from the others, and false with a wrong signature', async () => {
    const header = cookies(
      `a=${sign('tobi', 'secret')}`,
      `b=${sign('tobi', 'secret')}x`,
      `c=${sign('tobi', 'other')}`,
      `d=${sign('j:{"x":1}', 'secret')}`,
      'e=s:nosignature',
      'f=plain',
    );
    const [answer] = await sameEach(web => [web.cookieParser('secret'), seen], [header]);
    const expected = [{ f: 'plain' }, { a: 'tobi', b: false, c: false, d: { x: 1 }, e: false }, 'secret'];
    assert.deepEqual(JSON.parse(answer!.text), expected);
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

  test('names that objects inherit: do no harm', async () => {
    const read = show(req => [
      Object.keys(req.cookies!),
      Object.getPrototypeOf(req.cookies) === Object.prototype || Object.getPrototypeOf(req.cookies) === null,
      ({} as Record<string, unknown>).polluted,
    ]);
    const header = cookies('__proto__=j:{"polluted":1}', 'constructor=1', 'toString=2', 'a=1');
    const [answer] = await askAll([web.cookieParser(), read], [header]);
    const [names, ordinary, polluted] = JSON.parse(answer!.text);
    assert.deepEqual(names, ['constructor', 'toString', 'a']);
    assert.deepEqual([ordinary, polluted], [true, null]);
    const signed = cookies(`__proto__=${sign('j:{"polluted":1}', 'secret')}`);
    const [other] = await askAll(
      [web.cookieParser('secret'), show(req => Object.keys(req.signedCookies!))],
      [signed],
    );
    assert.equal(other!.status, 200);
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
