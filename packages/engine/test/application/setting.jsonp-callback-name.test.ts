/** The setting `jsonp callback name`: the query parameter that names the callback of `res.jsonp`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answering, sameEach } from '../support/compare.js';

const using = (name?: unknown) =>
  answering((_req, res) => res.jsonp({ a: 1 }), name === undefined ? {} : { 'jsonp callback name': name });

describe('setting jsonp callback name', () => {
  test('default: is the name callback', async () => {
    const answers = await sameEach(using(), ['/?callback=f', '/?cb=f']);
    assert.deepEqual(
      answers.map(({ text }) => text.startsWith('/**/')),
      [true, false],
    );
  });

  test('value: is the name of the query parameter', async () => {
    const answers = await sameEach(using('cb'), ['/?callback=f', '/?cb=f']);
    assert.deepEqual(
      answers.map(({ text }) => text.startsWith('/**/')),
      [false, true],
    );
  });

  test('value that objects inherit: is not a callback', async () => {
    await sameEach(using('toString'), ['/', '/?toString=f', '/?__proto__=f']);
    await sameEach(using('__proto__'), ['/', '/?__proto__=f']);
  });
});
