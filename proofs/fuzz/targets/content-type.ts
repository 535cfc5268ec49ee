/** Content-Type: parsed as by content-type and type-is; a value that matches a type can be parsed. */
import assert from 'node:assert/strict';
import { charsetOf } from '@ristretto/private-engine/lib/body/charset';
import {
  formatContentType,
  normalizeType,
  parseContentType,
  typeIs,
} from '@ristretto/private-engine/lib/protocol/content-type';
import { oracleModule } from '../../../packages/engine/test/support/fake-request.js';
import { allowing, assertSame, fieldOf, outcomeOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

interface ContentType {
  type: string;
  parameters: Record<string, string>;
}
const theirs = oracleModule('content-type') as { parse(header: string): ContentType };
const typeis = oracleModule('type-is') as { is(value: string, types: string[]): string | false };
const TYPES = ['json', 'text/*', '+xml', 'urlencoded', 'multipart', 'application/vnd.api+json', '*/*'];

/** Returns a plain object with its parameters, for comparison. */
function plain(parse: (header: string) => ContentType, header: string): unknown {
  return outcomeOf(() => {
    const { type, parameters } = parse(header);
    return { type, parameters: Object.entries(parameters) };
  });
}

export const target: Target = {
  seeds: [
    'text/html; charset=utf-8',
    'application/json',
    'a/b; c="d \\" e"',
    'image/svg+xml',
    'multipart/form-data; boundary=x',
    ' a/b ',
  ],
  dictionary: [
    ...words(String.raw`application/json text/ / ; = " \ \" charset utf-8 +xml + __proto__ garbage ,`),
    ' ',
    '\t',
  ],
  run(written) {
    const text = fieldOf(written);
    assertSame(
      plain(parseContentType, text),
      plain(header => theirs.parse(header), text),
    );
    const type = typeIs(text, []);
    assert.equal(type, typeis.is(text, []));
    assert.equal(typeIs(text, TYPES), typeis.is(text, TYPES));
    if (type !== false) assert.ok(parseContentType(text).type.startsWith(type.split('+')[0]!));
    const parsed = allowing(
      () => parseContentType(text),
      error => error instanceof TypeError,
    );
    if (parsed) assertSameAgain(parsed);
    for (const readsParameters of [true, false]) charsetOf(text, { readsParameters });
    normalizeType(text);
  },
};

/** Asserts that a formatted value parses to the same parameters. DEL can be parsed, but not formatted. */
function assertSameAgain(parsed: ContentType): void {
  const values = Object.values(parsed.parameters);
  const written = allowing(
    () => formatContentType(parsed),
    error => error instanceof TypeError && values.some(value => value.includes('\x7f')),
  );
  if (written !== undefined)
    assertSame(
      Object.entries(parseContentType(written).parameters).sort(),
      Object.entries(parsed.parameters).sort(),
    );
}
