/** `res.links`: adds URLs and their relations to the `Link` header. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, loose, returning } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

describe('res.links', () => {
  test('links: are sent as <url>; rel="name"', async () => {
    const answer = await same(
      answering((_req, res) => void res.links({ next: '/?page=2', last: '/?page=5' }).end()),
    );
    assert.equal(answer.headers.link, '</?page=2>; rel="next", </?page=5>; rel="last"');
  });

  test('links: are added to existing ones', async () => {
    await same(answering((_req, res) => void res.links({ a: '/a' }).links({ b: '/b' }).links({}).end()));
    await same(answering((_req, res) => void res.set('Link', ['</x>', '</y>']).links({ b: '/b' }).end()));
  });

  test('links empty: sets an empty header', async () => {
    await same(answering((_req, res) => void res.links({}).end()));
    await same(answering((_req, res) => void loose(res).links!({ a: undefined }).end()));
  });

  test('links missing: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void loose(res).links!().end()));
    assert.match(answer.text, /^TypeError: Cannot convert undefined or null to object/);
  });

  test('line break in a URL: throws a TypeError', async () => {
    const answer = await same(answering((_req, res) => void res.links({ a: '/\r\nX: y' }).end()));
    assert.match(answer.text, /^TypeError: Invalid character in header content/);
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.links({ a: '/' })));
  });
});
