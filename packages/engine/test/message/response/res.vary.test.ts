/** `res.vary`: adds names to the `Vary` header without repeating them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answering, loose, returning, sameEach, sameNotices } from '../../support/compare.js';
import { same } from '../../support/oracle.js';

const varying = (...fields: unknown[]) =>
  answering((_req, res) => {
    for (const field of fields) loose(res).vary!(field);
    res.end();
  });

describe('res.vary', () => {
  test('field: is added once, in its first spelling', async () => {
    const answer = await same(varying('Accept', 'Origin', 'accept', 'ORIGIN', 'Accept-Encoding'));
    assert.equal(answer.headers.vary, 'Accept, Origin, Accept-Encoding');
  });

  test('field: may be several in one text or in an array', async () => {
    await same(varying('Accept,Origin ,  Host', ['accept', 'Cookie']));
    await same(varying(['A', 'a', 'B']));
  });

  test('*: replaces all others', async () => {
    for (const fields of [['*'], ['A', '*'], ['*', 'A'], ['A, *'], [['A', '*', 'B']], ['*', '*']]) {
      const answer = await same(varying(...fields));
      assert.equal(answer.headers.vary, '*');
    }
  });

  test('header that is set: may be text or an array', async () => {
    for (const header of ['Accept', ['Accept', 'Host'], '', ' A ,B', 'A, *', 'a  b']) {
      await same(answering((_req, res) => void res.set('Vary', header).vary('accept').vary('X').end()));
    }
  });

  test('invalid name: throws a TypeError', async () => {
    for (const field of ['a b', 'a,,b', 'a:', 'ä', ',', ' ', ['a,b'], [''], 'a\r\nb', 'a,']) {
      const answer = await same(varying(field));
      assert.match(answer.text, /^TypeError: field argument contains an invalid header name/);
    }
  });

  test('field missing: is deprecated, and nothing is set', async () => {
    const notices = await sameNotices(answering((_req, res) => void loose(res).vary!().end()));
    assert.deepEqual(notices, ['res.vary(): Provide a field name']);
    for (const nothing of [undefined, null, '', []]) await same(varying(nothing));
  });

  test('field: random lists give the same header as Express', async () => {
    const name = fc.constantFrom('Accept', 'accept', 'Origin', 'X-A', ' x-a ', '*', '', 'b c');
    const lists = fc.sample(fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 4 }), {
      seed: 5,
      numRuns: 60,
    });
    await sameEach(
      answering((req, res) => {
        for (const fields of lists[Number(req.url.slice(1))] ?? []) {
          if (fields.length > 0) res.vary(fields.length % 2 === 0 ? fields : fields.join(','));
        }
        res.end();
      }),
      lists.map((_list, at) => `/${at}`),
    );
  });

  test('returns: returns the response', async () => {
    await same(returning(res => res.vary('A')));
  });
});
