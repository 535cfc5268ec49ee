/** Decides whether the copy of a client is fresh, as Express does, and in linear time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFresh } from '@ristretto/private-engine/lib/protocol/fresh';
import { Random } from '../support/random.js';
import { oracleModule } from '../support/fake-request.js';
import { assertFast } from '../support/worst-case.js';

type Fields = Record<string, string>;
const theirs = oracleModule('fresh') as (headers: Fields, validators: Fields) => boolean;

describe('protocol/fresh', () => {
  test('conditions: return the same as Express for 5,000 random cases', () => {
    const random = new Random(1);
    const dates = ['Sat, 01 Jan 2000 00:00:00 GMT', 'Sun, 02 Jan 2000 00:00:00 GMT', 'odd', '2000', ''];
    const tags = ['"a"', 'W/"a"', '"b"', 'W/W/"a"', '"a,b"', '*', '', ' '];
    const controls = [
      'no-cache',
      ' no-cache\u00a0',
      'a,no-cache',
      'no-cache=a',
      'no-cache a',
      'No-Cache',
      ',',
      '',
    ];
    for (let at = 0; at < 5000; at++) {
      const headers: Fields = {};
      if (random.chance(0.7)) headers['if-none-match'] = random.many(1, 3, () => random.pick(tags)).join(',');
      if (random.chance(0.5)) headers['if-modified-since'] = random.pick(dates);
      if (random.chance(0.5)) headers['cache-control'] = random.pick(controls);
      const validators = { etag: random.pick(tags), 'last-modified': random.pick(dates) };
      const detail = JSON.stringify([headers, validators]);
      assert.equal(isFresh(headers, validators), theirs(headers, validators), detail);
    }
  });

  test('odd dates: never match and never throw', () => {
    for (const odd of [
      'odd',
      '99999999999999',
      '\u0000',
      'Sat, 99 Foo 2000 99:99:99 GMT',
      '-'.repeat(1000),
    ]) {
      assert.equal(isFresh({ 'if-modified-since': odd }, { 'last-modified': 'odd' }), false);
    }
  });

  test('worst-case strings: process 16 KiB in less than 5 ms', () => {
    const validators = { etag: '"abc"', 'last-modified': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    assertFast(field => isFresh({ 'if-none-match': field }, validators));
    assertFast(field => isFresh({ 'if-modified-since': field }, validators));
    assertFast(field => isFresh({ 'if-none-match': '*', 'cache-control': field }, validators));
    assertFast(field => isFresh({ 'if-none-match': field }, { etag: field }), 'W/"');
  });
});
