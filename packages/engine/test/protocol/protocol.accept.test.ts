/** Parses and ranks media types, charsets, codings and languages in `Accept` headers, all in linear time. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptedLanguages, preferredLanguage } from '@ristretto/private-engine/lib/protocol/accept-language';
import { acceptedMediaTypes, preferredMediaType } from '@ristretto/private-engine/lib/protocol/accept-media';
import {
  acceptedCharsets,
  acceptedEncodings,
  codingsByPreference,
  preferredCharset,
  preferredEncoding,
} from '@ristretto/private-engine/lib/protocol/accept-token';
import { assertFast } from '../support/worst-case.js';

describe('protocol/accept', () => {
  test('preferred: returns the index of the offer, or -1 if no offer is acceptable', () => {
    assert.equal(preferredMediaType('a/b, c/d;q=0.5', ['x/y', 'c/d', 'a/b']), 2);
    assert.equal(preferredMediaType('*/*', [false, 'a/b']), 1);
    assert.equal(preferredMediaType('*/*', ['text', 'a/b']), 1);
    assert.equal(preferredMediaType('*/*', []), -1);
    assert.equal(preferredCharset('b', ['a', 'b']), 1);
    assert.equal(preferredEncoding('b', ['a']), -1);
    assert.equal(preferredLanguage('b', ['a', 'b-c']), 1);
  });

  test('accepted: sorts by quality and keeps names as the client wrote them', () => {
    assert.deepEqual(acceptedMediaTypes('A/b;q=0.1, c/D;x="a,b";q=0.2'), ['c/D', 'A/b']);
    assert.deepEqual(acceptedCharsets('UTF-8;q=0.1,b'), ['b', 'UTF-8']);
    assert.deepEqual(acceptedEncodings('GZIP'), ['GZIP', 'identity']);
    assert.deepEqual(acceptedLanguages('de-AT;q=0.1,EN'), ['EN', 'de-AT']);
  });

  test('parameters: may have the names of members of Object.prototype', () => {
    assert.equal(preferredMediaType('a/b;__proto__=x', ['a/b;__proto__=x']), 0);
    assert.equal(preferredMediaType('a/b;__proto__=x', ['a/b']), -1);
    assert.equal(preferredMediaType('a/b;constructor=x', ['a/b']), -1);
  });

  test('CVE-2016-10539, CVE-2025-25200: a crafted Accept-* of 16 KiB takes less than 5 ms', () => {
    assertFast(field => preferredMediaType(field, ['text/html', 'application/json', 'a/b']));
    assertFast(field => preferredMediaType(field, ['text/html']), 'text/html;');
    assertFast(field => preferredCharset(field, ['utf-8', 'iso-8859-1']));
    assertFast(field => preferredEncoding(field, ['br', 'gzip']), 'gzip;');
    assertFast(field => codingsByPreference(field, ['br', 'zstd', 'gzip']), 'gzip;');
    assertFast(field => preferredLanguage(field, ['en', 'de-AT', 'de']), 'en-');
    assertFast(acceptedMediaTypes);
    assertFast(acceptedCharsets);
    assertFast(acceptedEncodings);
    assertFast(acceptedLanguages);
  });
});
