// runs: slow, each
/** Seeded random bodies, charsets, codings and limits: the parsers respond as the oracle does. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { chunked, post, reporting } from '../support/body-parsers.js';
import type { Member } from '../support/body-parsers.js';
import { askPort, withServer } from '../support/http.js';
import type { Ask } from '../support/http.js';
import { comparable, frameworks } from '../support/oracle.js';

const ROUNDS = 200;
const TYPES: Record<Member, string> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const MEMBERS = Object.keys(TYPES) as Member[];
const ALPHABET = [
  'a',
  '1',
  '"',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  ' ',
  '\n',
  '\t',
  '&',
  '=',
  '%',
  '+',
  'é',
  '😀',
  '\ufeff',
  '#',
];
const WHOLE = [
  '{"a":1}',
  '[1,{"b":"é"}]',
  'null',
  '"text"',
  'a=1&b[c]=2',
  'a[]=1&a[]=2&b',
  'plain',
  '{"a":',
  '\ufeff{}',
];
const CHARSETS = [
  '',
  '',
  '',
  '; charset=utf-8',
  '; charset=UTF-16LE',
  '; charset=latin1',
  '; charset=windows-1251',
  '; charset=no',
  '; x',
];

/** Mulberry32, a seeded random number generator: yields the same numbers on every run. */
function numbers(seed: number): (below: number) => number {
  return below => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Pick = <Item>(items: readonly Item[]) => Item;

function randomRequest(next: (below: number) => number, pick: Pick, member: Member): Ask {
  let bytes = Buffer.from(
    next(3) === 0 ? pick(WHOLE) : Array.from({ length: next(60) }, () => pick(ALPHABET)).join(''),
    pick(['utf8', 'utf8', 'utf8', 'utf16le', 'latin1']),
  );
  const type = (next(5) === 0 ? pick(Object.values(TYPES)) : TYPES[member]) + pick(CHARSETS);
  const headers: Record<string, string> = {};
  const coding = pick(['', '', '', 'gzip', 'deflate', 'identity', 'nope']);
  if (coding) headers['Content-Encoding'] = coding;
  if (coding === 'gzip') bytes = zlib.gzipSync(bytes);
  if (coding === 'deflate') bytes = zlib.deflateSync(bytes);
  if (coding && next(6) === 0) bytes = bytes.subarray(0, next(bytes.length + 1));
  if (next(2) === 0) return post(type, bytes, headers);
  return post(type, chunked(bytes, 1 + next(20)), { ...headers, 'Transfer-Encoding': 'chunked' });
}

describe('body.random', () => {
  for (const member of MEMBERS) {
    test(`${member}: matches Express in ${String(ROUNDS)} random requests`, async () => {
      const next = numbers(MEMBERS.indexOf(member) + 1);
      const pick: Pick = items => items[next(items.length)]!;
      for (let series = 0; series < 4; series++) {
        const options = {
          limit: pick([10, 40, '1kb', undefined]),
          inflate: next(4) > 0,
          strict: next(2) > 0,
          extended: next(2) > 0,
          parameterLimit: pick([2, 1000]),
          depth: pick([1, 32]),
          defaultCharset: pick(['utf-8', 'latin1', 'utf-16be']),
        };
        const build = reporting(web => web[member](options));
        await withServer(build(frameworks.ristretto), ours =>
          withServer(build(frameworks.express), async theirs => {
            for (let round = 0; round < ROUNDS / 4; round++) {
              const request = randomRequest(next, pick, member);
              const [own, oracle] = await Promise.all([askPort(ours, request), askPort(theirs, request)]);
              assert.deepEqual(comparable(own), comparable(oracle), JSON.stringify({ options, request }));
            }
          }),
        );
      }
    });
  }
});
