/** `res.location`: sets `Location` to an encoded URL that stays on the given host. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { ask } from '../../support/http.js';
import { frameworks, same } from '../../support/oracle.js';

const to = (url: unknown) => answering((_req, res) => void loose(res).location!(url).end());

describe('res.location', () => {
  test('path: is encoded unless it already is', async () => {
    const urls = [
      'http://google.com/',
      '/foo/bar',
      '../x',
      '',
      '/a b',
      '/%20%',
      '/%zz',
      'https://google.com?q=\u2603 §10',
      'https://google.com?q=%A710',
      '/é/"<>^`{|}\\[]',
      '/\ud800x',
      'http://user:pass@host:80/p?q#f',
    ];
    for (const url of urls) await same(to(url));
  });

  test('path: random text is encoded as in Express', async () => {
    const urls = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), { seed: 21, numRuns: 80 });
    await sameEach(
      answering((req, res) => void res.location(urls[Number(req.url.slice(1))]!).end()),
      urls.map((_url, at) => `/${at}`),
    );
  });

  test('path that is not a string: is converted to a string', async () => {
    for (const url of [undefined, null, 5, new URL('http://a.b/c d'), Symbol('s')]) await same(to(url));
  });

  test('CVE-2024-29041: encoding does not change the host', async () => {
    const answer = await same(to('http://google.com\\@apple.com'));
    assert.equal(answer.headers.location, 'http://google.com\\@apple.com');
    const urls = [
      'http://ap\\ple.com',
      'http:\\\\a.com',
      'https://a.com\\b.com/c',
      'http://a.com%5C@b.com',
      '//a\\b',
      'http://ä.com',
    ];
    for (const url of urls) {
      const { headers } = await same(to(url));
      assert.equal(new URL(headers.location!, 'http://x').host, new URL(url, 'http://x').host);
    }
  });

  test('CR LF: is encoded, so no header can be added', async () => {
    const answer = await same(to('/\r\nSet-Cookie: a=b'));
    assert.equal(answer.headers['set-cookie'], undefined);
  });

  test('back: uses the Referer, or /', async () => {
    const build = answering((_req, res) => void res.location('back').end());
    const answers = await sameEach(build, [
      '/',
      { headers: { Referer: '/from' } },
      { headers: { Referrer: '/from' } },
      { headers: { Referer: 'http://a.b/c?d=e f' } },
      { headers: { Referer: '' } },
    ]);
    assert.deepEqual(
      answers.map(({ headers }) => headers.location),
      ['/', '/from', '/from', 'http://a.b/c?d=e%20f', '/'],
    );
  });

  test('back: is deprecated', async () => {
    const notices = await sameNotices(answering((_req, res) => void res.location('back').end()));
    assert.equal(notices.length, 1);
    assert.match(
      notices[0]!,
      /^res\.location\("back"\): use res\.location\(req\.get\("Referrer"\) \|\| "\/"\)/,
    );
  });

  test('CVE-2025-54420: back never leads to //host', async () => {
    for (const referer of [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '\\/evil.example',
      '///evil',
    ]) {
      const build = answering((_req, res) => void res.location('back').end());
      const answer = await ask(build(frameworks.ristretto), { headers: { Referer: referer } });
      assert.equal(answer.headers.location, '/');
    }
    const own = await same(
      answering((_req, res) => void res.location('back').end()),
      {
        headers: { Referer: 'http://127.0.0.1//evil.example' },
      },
    );
    assert.equal(own.headers.location, 'http://127.0.0.1//evil.example');
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.location('/')));
  });
});
