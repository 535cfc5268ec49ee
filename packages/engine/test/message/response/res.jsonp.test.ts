// runs: slow
/** `res.jsonp`: sends JSON, or a script that safely calls the function the client names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, sameEach, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

const build = answering((_req, res) => res.jsonp({ a: '<&>', b: [1] }));

describe('res.jsonp', () => {
  test('without a callback: sends JSON with X-Content-Type-Options: nosniff', async () => {
    const answer = await same(build);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  });

  test('with a callback: sends a script that calls it', async () => {
    const answer = await same(build, '/?callback=go');
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.text, `/**/ typeof go === 'function' && go({"a":"<&>","b":[1]});`);
  });

  test('callback: may be repeated, an array, an object, or empty', async () => {
    await sameEach(build, [
      '/?callback=a&callback=b',
      '/?callback[]=a',
      '/?callback[]=',
      '/?callback[a]=b',
      '/?callback[][]=b',
      '/?callback=',
      '/?callback',
      '/?other=x',
      '/?callback=a.b[0].$c',
    ]);
  });

  test('CVE-2014-4671: characters that are invalid in a callback name are removed', async () => {
    const answer = await same(build, '/?callback=alert(1)//%0A%00%3Cscript%3E%7B%7D;x');
    assert.ok(answer.text.startsWith(`/**/ typeof alert1scriptx === 'function' && alert1scriptx(`));
    const names = fc.sample(fc.string({ unit: 'binary', maxLength: 30 }), { seed: 7, numRuns: 60 });
    const answers = await sameEach(
      build,
      names.map(name => `/?callback=${encodeURIComponent(name)}`),
    );
    for (const { text } of answers) assert.match(text, /^(\/\*\*\/ typeof [\w$.[\]]* === |\{)/);
  });

  test('CVE-2014-4671: U+2028 and U+2029 are escaped', async () => {
    const answer = await same(
      answering((_req, res) => res.jsonp({ s: 'a\u2028b\u2029c\u2028' })),
      '/?callback=f',
    );
    assert.ok(answer.text.includes('a\\u2028b\\u2029c\\u2028'));
    await same(answering((_req, res) => res.jsonp({ s: 'a\u2028b' })));
  });

  test('body: may be undefined, null, text or a number', async () => {
    for (const body of [undefined, null, 'text', 5, () => 1]) {
      await sameEach(
        answering((_req, res) => res.jsonp(body)),
        ['/', '/?callback=f'],
      );
    }
  });

  test('Content-Type: an existing value is kept only if there is no callback', async () => {
    const typed = answering((_req, res) => res.type('application/vnd.x+json').jsonp({ a: 1 }));
    const answers = await sameEach(typed, ['/', '/?callback=f']);
    assert.equal(answers[0]?.headers['x-content-type-options'], undefined);
  });

  test('deprecated res.jsonp(status, obj): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).jsonp!(201, { a: 1 })));
    assert.deepEqual(notices, ['res.jsonp(status, obj): Use res.status(status).jsonp(obj) instead']);
  });

  test('deprecated res.jsonp(obj, status): sets the status', async () => {
    const notices = await sameNotices(answering((_req, res) => loose(res).jsonp!({ a: 1 }, 201)));
    assert.deepEqual(notices, ['res.jsonp(obj, status): Use res.status(status).jsonp(obj) instead']);
    await same(answering((_req, res) => loose(res).jsonp!(200, 201)));
  });

  test('settings: json replacer, json spaces and json escape apply', async () => {
    for (const settings of [{ 'json escape': true }, { 'json spaces': 2 }, { 'json replacer': ['a'] }]) {
      await sameEach(
        answering((_req, res) => res.jsonp({ a: '<&>', b: 1 }), settings),
        ['/', '/?callback=f'],
      );
    }
  });
});
