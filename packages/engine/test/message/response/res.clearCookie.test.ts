/** `res.clearCookie`: sends an expired cookie with the attributes of the one to clear. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CookieOptions } from 'express';
import { answering, returning, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

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
