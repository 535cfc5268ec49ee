/** `req.cookies`: set by the package cookie-parser. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { cookieParser, showing, sign } from '../../support/cookies.js';
import { same } from '../../support/oracle.js';
import type { Ask } from '../../support/http.js';

const read = async (request: Ask, ...before: Parameters<typeof showing>[1][]) =>
  (
    await same(
      showing(req => req.cookies, ...before),
      request,
    )
  ).text;
const cookie = (value: string): Ask => ({ headers: { Cookie: value } });

describe('req.cookies', () => {
  test('no middleware: is undefined', async () => {
    assert.equal(await read(cookie('a=b')), 'undefined');
  });

  test('cookie-parser: contains the cookies of the request by name', async () => {
    assert.equal(
      await read(cookie('name=tobi; list=j%3A%5B1%2C2%5D; empty='), cookieParser()),
      '{"name":"tobi","list":[1,2],"empty":""}',
    );
    assert.equal(await read(cookie(`a=${sign('b', 'secret')}; c=d`), cookieParser('secret')), '{"c":"d"}');
  });

  test('none: is an empty object', async () => {
    assert.equal(await read({}, cookieParser()), '{}');
  });
});
