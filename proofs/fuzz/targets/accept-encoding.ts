/** Accept-Encoding, as compression reads it: the choice of negotiator among the encodings that both have. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { preferredEncoding } from '@ristretto/compression/lib/encodings';
import { assertSame, fieldOf } from '../target.js';
import type { Target } from '../target.js';

const load = createRequire(createRequire(__filename).resolve('compression'));
const Negotiator = load('negotiator') as new (req: object) => {
  encoding(available: string[], preferred: string[]): string | undefined;
};
const OFFERS = ['br', 'gzip', 'deflate'];

export const target: Target = {
  seeds: [
    'gzip, deflate, br, zstd',
    'gzip;q=0.5, *;q=0.1',
    'identity;q=0, *;q=0',
    'zstd;q=1, br;q=0.9',
    'x;q',
  ],
  dictionary: [
    ...['gzip', 'deflate', 'br', 'zstd', 'identity', '*', ',', ';', ';q=', 'q=0', 'q=1', 'q=0.5', 'q=NaN'],
    ...['q=-1', 'q=1e9', 'Q=0', ' ', '\t', '=', '"', '__proto__', 'x'],
  ],
  run(text) {
    const header = fieldOf(text);
    const theirs = new Negotiator({ headers: { 'accept-encoding': header } });
    const expected = theirs.encoding([...OFFERS, 'identity'], ['br', 'gzip']);
    assertSame(preferredEncoding(header, OFFERS), expected);
    const chosen = preferredEncoding(header, [...OFFERS, 'zstd']);
    assert.ok(chosen === undefined || [...OFFERS, 'zstd', 'identity'].includes(chosen));
    if (chosen === 'zstd') assert.match(header, /zstd/i);
  },
};
