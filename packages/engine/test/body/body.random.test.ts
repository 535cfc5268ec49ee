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
import { Random, words } from '../support/random.js';

const ROUNDS = 200;
const TYPES: Record<Member, string> = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
const MEMBERS = Object.keys(TYPES) as Member[];
const ALPHABET = [...words('a 1 " { } [ ] : ,'), ' ', '\n', '\t', ...words('& = % + é 😀'), '\ufeff', '#'];
const WHOLE = [
  ...words('{"a":1} [1,{"b":"é"}] null "text" a=1&b[c]=2 a[]=1&a[]=2&b plain {"a":'),
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

function randomRequest(random: Random, member: Member): Ask {
  let bytes = Buffer.from(
    random.chance(1 / 3) ? random.pick(WHOLE) : random.many(0, 59, () => random.pick(ALPHABET)).join(''),
    random.pick(['utf8', 'utf8', 'utf8', 'utf16le', 'latin1']),
  );
  const type =
    (random.chance(0.2) ? random.pick(Object.values(TYPES)) : TYPES[member]) + random.pick(CHARSETS);
  const headers: Record<string, string> = {};
  const coding = random.pick(['', '', '', 'gzip', 'deflate', 'identity', 'nope']);
  if (coding) headers['Content-Encoding'] = coding;
  if (coding === 'gzip') bytes = zlib.gzipSync(bytes);
  if (coding === 'deflate') bytes = zlib.deflateSync(bytes);
  if (coding && random.chance(1 / 6)) bytes = bytes.subarray(0, random.between(0, bytes.length));
  if (random.chance(0.5)) return post(type, bytes, headers);
  return post(type, chunked(bytes, random.between(1, 20)), { ...headers, 'Transfer-Encoding': 'chunked' });
}

describe('body.random', () => {
  for (const member of MEMBERS) {
    test(`${member}: matches Express in ${String(ROUNDS)} random requests`, async () => {
      const random = new Random(MEMBERS.indexOf(member) + 1);
      for (let series = 0; series < 4; series++) {
        const options = {
          limit: random.pick([10, 40, '1kb', undefined]),
          inflate: random.chance(0.75),
          strict: random.chance(0.5),
          extended: random.chance(0.5),
          parameterLimit: random.pick([2, 1000]),
          depth: random.pick([1, 32]),
          defaultCharset: random.pick(['utf-8', 'latin1', 'utf-16be']),
        };
        const build = reporting(web => web[member](options));
        await withServer(build(frameworks.ristretto), ours =>
          withServer(build(frameworks.express), async theirs => {
            for (let round = 0; round < ROUNDS / 4; round++) {
              const request = randomRequest(random, member);
              const [own, oracle] = await Promise.all([askPort(ours, request), askPort(theirs, request)]);
              assert.deepEqual(comparable(own), comparable(oracle), JSON.stringify({ options, request }));
            }
          }),
        );
      }
    });
  }
});
