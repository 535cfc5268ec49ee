/** Cookies: each is set as intended or not at all, and a signature is valid only for its value. */
import assert from 'node:assert/strict';
import { sign, unsign } from 'cookie-signature';
import type { Response } from 'express';
import web from 'ristretto';
import cookieParser from 'ristretto3/lib/middleware/cookieParser';
import { allowing, assertSame, partsOf, unsent } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const SECRET = 'keyboard cat';
const app = web();

/** Splits a cookie into its attributes as a browser does (RFC 6265, section 5.2). */
function attributesOf(cookie: string): [name: string, value: string][] {
  return cookie.split(';').map(part => {
    const equals = part.indexOf('=');
    return equals < 0
      ? [part.trim().toLowerCase(), '']
      : [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).trim()];
  });
}

function cookiesOf(res: Response): string[] {
  const value = res.getHeader('Set-Cookie');
  return value === undefined ? [] : [value].flat().map(String);
}

export const target: Target = {
  characters: 'unicode',
  seeds: [
    'name\nvalue\n/\nexample.com',
    'a\nb; c\n/x\n',
    'a;b\nc\n/\n',
    'a\n\u20ac"\n/; Max-Age=1\nx',
    '__Host-a\nb\n/\n.a.b',
  ],
  dictionary: [
    ...words('; = , " Max-Age=1 HttpOnly Domain=evil % %3B s: j: . __proto__ a.b'),
    '; ',
    '\n',
    '\r\n',
  ],
  run(text) {
    const [name = '', value = '', path = '', domain = ''] = partsOf(text, 4);
    const { res, req } = unsent(app);
    (req as unknown as { secret: string }).secret = SECRET;
    const options = { path, ...(domain && { domain }) };
    const isRefusal = (error: Error): boolean => error instanceof TypeError || error instanceof URIError;
    const isSet = allowing(() => res.cookie(name, value, options), isRefusal) !== undefined;
    const [cookie, ...others] = cookiesOf(res);
    assertSame([cookie !== undefined, others.length], [isSet, 0]);
    if (cookie !== undefined) {
      const [first, ...attributes] = attributesOf(cookie);
      assertSame(first, [name.toLowerCase(), encodeURIComponent(value)]);
      const expected = [...(domain ? [['domain', domain]] : []), ...(path ? [['path', path]] : [])];
      assertSame(
        attributes.map(([key, text]) => [key, text.trim()]),
        expected.map(([key, text]) => [key, text!.trim()]),
      );
    }
    checkSignature(name, value, path);
    checkParsed(text);
  },
};

const parse = cookieParser(SECRET);

/** Asserts that parsed cookies are plain objects for any header, and that signed ones were signed. */
function checkParsed(field: string): void {
  const req = { headers: { cookie: field } } as { cookies?: object; signedCookies?: object; headers: object };
  parse(req as never, {} as never, error => assert.ok(!error));
  for (const cookies of [req.cookies!, req.signedCookies!]) {
    assert.ok(Object.getPrototypeOf(cookies) === null || Object.getPrototypeOf(cookies) === Object.prototype);
    for (const value of Object.values(cookies)) assert.notEqual(typeof value, 'function');
  }
  for (const value of Object.values(req.signedCookies!)) {
    const text = typeof value === 'object' ? `j:${JSON.stringify(value)}` : String(value);
    if (typeof value === 'string')
      assert.ok(
        field.includes(encodeURIComponent(sign(text, SECRET)).slice(-20)) ||
          value === '' ||
          field.includes(sign(text, SECRET).slice(-20)),
      );
  }
}

/** Asserts that a signature is valid for its value and for no other. */
function checkSignature(name: string, value: string, other: string): void {
  const signed = sign(value, SECRET);
  assert.equal(unsign(signed, SECRET), value);
  if (other !== value) assert.equal(unsign(other + signed.slice(signed.lastIndexOf('.')), SECRET), false);
  assert.equal(
    unsign(name, SECRET) === false || name === sign(name.slice(0, name.lastIndexOf('.')), SECRET),
    true,
  );
}
