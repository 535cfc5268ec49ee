/** `req.xhr`: whether `X-Requested-With` is `XMLHttpRequest`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { alike } from '../../support/fake-request.js';

const xhr = (fields: Record<string, string>) => alike(fields, req => req.xhr);

describe('req.xhr', () => {
  test('X-Requested-With is XMLHttpRequest: is true, whatever its case', () => {
    assert.equal(xhr({ 'x-requested-with': 'XMLHttpRequest' }), true);
    assert.equal(xhr({ 'x-requested-with': 'xmlHTTPrequest' }), true);
  });

  test('another value or no header: is false', () => {
    assert.equal(xhr({ 'x-requested-with': 'com.example.app' }), false);
    assert.equal(xhr({ 'x-requested-with': 'XMLHttpRequest, a' }), false);
    assert.equal(xhr({ 'x-requested-with': '' }), false);
    assert.equal(xhr({}), false);
  });
});
