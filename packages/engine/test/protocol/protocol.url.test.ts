// runs: slow
/** Splits request targets of every form into path and query, as Express does. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  cutTarget,
  parseTarget,
  pathnameOf,
  protohostLength,
  queryOf,
} from '@ristretto/private-engine/lib/protocol/url';
import { Random } from '../support/random.js';
import { oracleModule } from '../support/fake-request.js';
import { assertFast } from '../support/worst-case.js';

type Parts = ReturnType<typeof parseTarget> | undefined;
const parseurl = oracleModule('parseurl') as (req: { url: string }) => Parts;

const PIECES = [
  '/',
  '/',
  '//',
  '?',
  '#',
  'a',
  'b',
  '%2F',
  '\\',
  ' ',
  '\t',
  '\n',
  '\f',
  '\r',
  '\u00a0',
  '\ufeff',
  'é',
];
const MORE = [
  'http://',
  'x:',
  '://',
  '@',
  ':80',
  '[::1]',
  '[',
  '*',
  '.',
  '..',
  ';',
  "'",
  '|',
  '<',
  '"',
  '=',
  '&',
];

/** Asserts that parseurl returns the same parts, and returns them; undefined if both throw. */
function alike(target: string): Parts {
  let theirs: Parts;
  let ours: Parts;
  try {
    theirs = parseurl({ url: target });
  } catch {
    assert.throws(() => parseTarget(target), target);
  }
  if (theirs) ours = parseTarget(target);
  assert.deepEqual(ours, theirs, JSON.stringify(target));
  assert.equal(pathnameOf(target), theirs?.pathname ?? undefined, JSON.stringify(target));
  assert.equal(queryOf(target), theirs?.query ?? null, JSON.stringify(target));
  return ours;
}

describe('protocol/url', () => {
  test('origin form: has a path and a query', () => {
    assert.equal(pathnameOf('/a/b'), '/a/b');
    assert.equal(pathnameOf('/a?b?c'), '/a');
    assert.equal(queryOf('/a?b?c'), 'b?c');
    assert.equal(queryOf('/a?'), '');
    assert.equal(queryOf('/a'), null);
    for (const target of ['/', '/?', '//a//b', '//u@h/p', '/a\\b', '/a//b/../c', '/%2F', '/é']) alike(target);
  });

  test('fragment, white space: are split as in Express', () => {
    assert.equal(pathnameOf('/a#b'), '/a');
    for (const target of ['/a?b#c', '/a b', ' /a', '/a\t?x', '/a\u00a0?x', '/a?x\ufeff', "/a'<>|#"])
      alike(target);
  });

  test('absolute form: the authority is not part of the path', () => {
    assert.equal(pathnameOf('http://x/admin?y'), '/admin');
    assert.equal(queryOf('http://x?y'), 'y');
    assert.equal(pathnameOf('http://[bad/x'), undefined);
    assert.equal(queryOf('http://[bad/x'), null);
    assert.throws(() => parseTarget('http://[bad/x'), { code: 'ERR_INVALID_URL' });
    for (const target of ['http://x', 'HTTP://X/Y', 'https://u:p@x:80/p;y?q#f', 'weird://h/p', 'mailto:a@b'])
      alike(target);
  });

  test('asterisk form, no path, empty: are parsed as in Express', () => {
    assert.equal(pathnameOf('*'), '*');
    assert.equal(pathnameOf('?x'), undefined);
    assert.equal(pathnameOf(''), undefined);
    for (const target of ['*', '?x', '', 'x', 'x?y', '\\a']) alike(target);
  });

  test('random targets: are parsed as in Express', () => {
    const random = new Random(5);
    // Node warns that unusual hosts will be rejected in the future
    const silent = process.listeners('warning');
    process.removeAllListeners('warning');
    for (let at = 0; at < 12_000; at++) {
      alike(
        (random.chance(0.7) ? '/' : '') + random.many(0, 8, () => random.pick([...PIECES, ...MORE])).join(''),
      );
    }
    setImmediate(() => silent.forEach(listener => process.on('warning', listener)));
  });

  test('cutTarget: returns a target with the same path and query as if it were parsed on its own', () => {
    assert.equal(cutTarget('/users/7?a', 6), '/7?a');
    assert.equal(cutTarget('/users?a', 6), '/?a');
    assert.equal(cutTarget('/users', 6), '/');
    const random = new Random(6);
    for (let at = 0; at < 5000; at++) {
      const target = '/' + random.many(0, 8, () => random.pick(PIECES)).join('');
      pathnameOf(target);
      const cut = cutTarget(target, random.between(0, target.length));
      const [path, query] = [pathnameOf(cut), queryOf(cut)];
      pathnameOf('/another');
      assert.deepEqual([path, query], [pathnameOf(cut), queryOf(cut)], JSON.stringify([target, cut]));
    }
  });

  test('protohostLength: covers scheme and authority if a path follows', () => {
    assert.equal(protohostLength('http://example.com/pets'), 18);
    for (const target of [
      '',
      '/a',
      '//a/b',
      '*',
      'a',
      'http:/x',
      'http://x',
      '?a=http://x/y',
      '/?a=http://x/y',
      'a?b://c/d',
    ]) {
      assert.equal(protohostLength(target), 0, target);
    }
    assert.equal(protohostLength('http://x?y/z'), 10);
    assert.equal(protohostLength('a://b/c://d/e'), 5);
  });

  test('worst-case targets: take linear time', () => {
    for (const prefix of ['', '/', '/?', 'http://', 'http://x/', '/#', 'x?']) {
      assertFast(pathnameOf, prefix);
      assertFast(protohostLength, prefix);
    }
  });
});
