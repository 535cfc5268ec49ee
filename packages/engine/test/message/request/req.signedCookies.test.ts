/** `req.signedCookies`: set by the package cookie-parser; `res.cookie` signs the cookies. */
import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { cookieParser, showing, sign } from '../../support/cookies.js';
import { same } from '../../support/oracle.js';
import type { Ask } from '../../support/http.js';

const read = async (request: Ask, ...before: Parameters<typeof showing>[1][]) =>
  (
    await same(
      showing(req => req.signedCookies, ...before),
      request,
    )
  ).text;
const cookie = (value: string): Ask => ({ headers: { Cookie: value } });

describe('req.signedCookies', () => {
  test('no middleware: is undefined', async () => {
    assert.equal(await read(cookie(`a=${sign('b', 'secret')}`)), 'undefined');
  });

  test('cookie-parser: contains signed values without their signature, and false for a wrong signature', async () => {
    assert.equal(
      await read(
        cookie(`a=${sign('b', 'secret')}; forged=${sign('b', 'guess')}; plain=c`),
        cookieParser('secret'),
      ),
      '{"a":"b","forged":false}',
    );
  });

  test('cookie-parser: reads back what res.cookie has signed', async () => {
    const answer = await same(web =>
      web().use(
        cookieParser('secret'),
        (_req, res) => void res.cookie('a', { b: 1 }, { signed: true }).end(),
      ),
    );
    const pair = answer.headers['set-cookie']?.split(';')[0] ?? '';
    assert.equal(await read(cookie(pair), cookieParser('secret')), '{"a":{"b":1}}');
  });

  test('none: is an empty object', async () => {
    assert.equal(await read({}, cookieParser('secret')), '{}');
  });
});
