// runs: slow, each
/** Sends the same random requests for files to both frameworks; a seed makes them repeatable. */
import { describe, test } from 'node:test';
import { sameEach } from '../support/compare.js';
import type { Ask } from '../support/http.js';
import { serving } from '../support/static.js';

const PATHS = [
  ...[
    '/todo.txt',
    '/empty.txt',
    '/noext',
    '/page',
    '/page.html',
    '/a%20b.html',
    '/100%25.txt',
    '/nested',
    '/nested/',
  ],
  ...[
    '/users',
    '/users/',
    '/users/tobi',
    '/.hidden',
    '/.dir/file.txt',
    '/nope',
    '/%',
    '/../x',
    '/piece.bin',
    '/big.bin',
  ],
  ...['/', '/snow%20%E2%98%83', '/data.json?x', '/like.txt', '/todo.txt/', '/todo.txt?a=b&%'],
];
const TAGS = [
  'W/"b-174876e81f4"',
  '"b-174876e81f4"',
  '*',
  '"x"',
  'W/"6-174876e81f4"',
  '"x", W/"b-174876e81f4"',
  '',
];
const DATES = [
  'Sun, 13 Sep 2020 12:26:40 GMT',
  'Sun, 13 Sep 2020 12:26:39 GMT',
  'Mon, 14 Sep 2020 12:26:40 GMT',
  'x',
  '',
];
const RANGES = [
  ...[
    'bytes=0-0',
    'bytes=1-3',
    'bytes=-4',
    'bytes=2-',
    'bytes=0-1,1-2',
    'bytes=0-1,4-5',
    'bytes=99-',
    'bytes=x',
    'x=0-1',
  ],
  ...['bytes=0-65535', 'bytes=65536-200000', 'bytes=9-1', ''],
];
const FIELDS: Record<string, readonly string[]> = {
  'If-None-Match': TAGS,
  'If-Match': TAGS,
  'If-Range': [...TAGS, ...DATES],
  'If-Modified-Since': DATES,
  'If-Unmodified-Since': DATES,
  Range: RANGES,
  'Cache-Control': ['no-cache', 'max-age=0'],
};

/** A Mulberry32 random number generator. */
function generator(seed: number): <T>(list: readonly T[]) => T {
  let state = seed;
  return list => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return list[((mixed ^ (mixed >>> 14)) >>> 0) % list.length]!;
  };
}

function randomAsk(pick: ReturnType<typeof generator>): Ask {
  const headers: Record<string, string> = {};
  const fields = pick([0, 0, 1, 1, 2, 3]);
  for (let count = 0; count < fields; count++) {
    const name = pick(Object.keys(FIELDS));
    headers[name] = pick(FIELDS[name]!);
  }
  return { method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']), path: pick(PATHS), headers };
}

const POLICIES: object[] = [
  {},
  {
    fallthrough: false,
    dotfiles: 'deny',
    extensions: ['html', 'txt'],
    index: ['nope', 'index.htm', 'index.html'],
  },
  { etag: false, maxAge: '1h', immutable: true, dotfiles: 'allow', redirect: false },
  { lastModified: false, cacheControl: false, index: false, start: 1, end: 70000, extensions: ['htm'] },
];

describe('web.static', () => {
  POLICIES.forEach((policy, seed) => {
    test(`random requests: get the same responses as in Express with ${JSON.stringify(policy)}`, async () => {
      const pick = generator(seed + 1);
      await sameEach(
        serving(policy),
        Array.from({ length: 120 }, () => randomAsk(pick)),
      );
    });
  });
});
