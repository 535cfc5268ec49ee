/** Headers that Express 5 parses differently from Express 4: compared with the packages that it depends on. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { typeIs } from '@ristretto/private-engine/lib/protocol/content-type';
import { isFresh } from '@ristretto/private-engine/lib/protocol/fresh';
import { parseRange } from '@ristretto/private-engine/lib/protocol/range';
import {
  registeredContentType,
  registeredType,
} from '@ristretto/private-engine/lib/protocol/registered-types';
import { contentDisposition, normalizeType, setCharset } from 'ristretto5/lib/protocol';
import { version } from 'ristretto5/lib/version';
import { assertSame, fieldOf, outcomeOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

type Any<T = unknown> = (...args: unknown[]) => T;
const from = createRequire(require.resolve('express5'));
const typeis = from('type-is') as { is: Any };
const range = from('range-parser') as Any;
const fresh = from('fresh') as Any;
const mime = from('mime-types') as { contentType: Any; lookup: Any };
const disposition = from('content-disposition') as { create: Any<string>; parse: Any };
const utils = require('express5/lib/utils') as Record<'setCharset' | 'normalizeType', Any>;

const TYPES = ['json', 'text/*', '+xml', 'urlencoded', 'multipart', 'application/vnd.api+json', '*/*', 'js'];

/** Asserts that both return the same value, or that both throw. */
function alike(ours: () => unknown, theirs: () => unknown): void {
  const [own, expected] = [outcomeOf(ours), outcomeOf(theirs)];
  if ('value' in expected) assertSame(own, expected);
  else assert.ok('error' in own, `${expected.error} is not thrown`);
}

function checkTypes(text: string): void {
  assert.equal(typeIs(text, [], version.requests), typeis.is(text, []));
  assert.equal(typeIs(text, TYPES, version.requests), typeis.is(text, TYPES));
  alike(
    () => setCharset(text, 'utf-8'),
    () => utils.setCharset(text, 'utf-8'),
  );
}

/** Returns the ranges and their unit, which is a property of the array that JSON omits. */
const withUnit = (ranges: unknown): unknown[] => [ranges, (ranges as { type?: string }).type];

function checkRange(text: string): void {
  for (const combine of [false, true]) {
    const ours = parseRange(100, text, { combine, isStrict: true });
    assertSame(withUnit(ours), withUnit(range(100, text, { combine })));
  }
}

function checkFresh(text: string): void {
  const [tags = '', since = '', etag = '', modified = ''] = partsOf(text, 4).map(fieldOf);
  const asked = { 'if-none-match': tags, 'if-modified-since': since };
  const kept = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  const validators = { etag, 'last-modified': modified };
  assert.equal(isFresh(kept, validators, true), fresh(kept, validators));
}

function checkName(text: string): void {
  alike(
    () => contentDisposition(text),
    () => disposition.create(text),
  );
}

export const target: Target = {
  seeds: [
    ...['0text/html; charset=utf-8', '0application/json;;', '0a/b; c="d \\" e"; f', '1bytes=0-9'],
    '1bytes=0-1, 3-4,-2',
    '2"a", W/"b"\nTue, 05 Mar 2024 06:07:08 GMT\n"b"\nTue, 05 Mar 2024 06:07:08 GMT',
    ...['2*\n\n"a"', '3plans.pdf', '3%41 "b".txt', '4html', '4image/svg+xml; charset=x'],
  ],
  dictionary: [
    ...words(String.raw`0 1 2 3 4 application/json text/ / ; = " \ charset +xml , bytes= - 0- 99 W/ *
      GMT %41 % ' filename . __proto__`),
    ...[' ', '\t', '\n', '\u20ac', '\xe9'],
  ],
  run(text) {
    const value = text.slice(1);
    const kind = text.charCodeAt(0) % 5;
    if (kind === 0) checkTypes(fieldOf(value));
    if (kind === 1) checkRange(fieldOf(value));
    if (kind === 2) checkFresh(value);
    if (kind === 3) checkName(value);
    if (kind === 4) {
      assert.equal(registeredContentType(value), mime.contentType(value));
      assert.equal(registeredType(value), mime.lookup(value));
      assertSame(normalizeType(value), utils.normalizeType(value));
    }
  },
};
