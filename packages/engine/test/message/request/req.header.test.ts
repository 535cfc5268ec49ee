/** `req.header`: the same function as `req.get`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alike, alikeError } from '../../support/fake-request.js';
import { frameworks } from '../../support/oracle.js';

describe('req.header', () => {
  test('field: is read by the same function as req.get', () => {
    for (const { request } of Object.values(frameworks)) assert.equal(request.header, request.get);
    assert.equal(
      alike({ 'x-one': 'a' }, req => req.header('X-One')),
      'a',
    );
    assert.equal(
      alike({ referrer: 'a' }, req => req.header('referer')),
      'a',
    );
  });

  test('absent: returns undefined', () => {
    assert.equal(
      alike({}, req => req.header('X-One')),
      undefined,
    );
  });

  test('name missing: throws a TypeError', () => {
    const message = alikeError({}, req => req.header(undefined as never));
    assert.equal(message, 'TypeError: name argument is required to req.get');
  });
});
