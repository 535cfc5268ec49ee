/** Creates entity tags from bodies and from the size and date of files. */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  compileETag,
  entityTag,
  statTag,
  strongETag,
  weakETag,
} from '@ristretto/private-engine/lib/protocol/entity-tag';

/** Returns the ETag by its definition: length in hexadecimal, 27 characters of the SHA-1 in base64. */
function defined(body: string | Buffer): string {
  const bytes = Buffer.from(body as string);
  const hash = crypto.createHash('sha1').update(bytes).digest('base64').slice(0, 27);
  return `"${bytes.length.toString(16)}-${hash}"`;
}

describe('entityTag', () => {
  test('empty body: returns the constant', () => {
    assert.equal(entityTag('', false), '"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"');
    assert.equal(entityTag(Buffer.alloc(0), true), 'W/"0-2jmj7l5rSw0yVb/vlWAYkK/YBwk"');
    assert.equal(entityTag('', false), defined(''));
  });

  test('strings and bytes: return the same tag, as defined', () => {
    const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 3000, size: 'max' }), {
      seed: 3,
      numRuns: 100,
    });
    for (const text of [...texts, 'x'.repeat(1024), 'x'.repeat(1025), 'same', 'same', '\ud800']) {
      assert.equal(entityTag(text, false), defined(text));
      assert.equal(entityTag(Buffer.from(text), true), 'W/' + defined(text));
      assert.equal(entityTag(text, true), 'W/' + defined(text));
    }
  });

  test('without crypto.hash (before Node 20.12): returns the same tags', () => {
    const load = createRequire(__filename);
    const file = load.resolve('@ristretto/private-engine/lib/protocol/entity-tag');
    const kept = load.cache[file];
    const { hash } = crypto;
    Object.assign(crypto, { hash: undefined });
    delete load.cache[file];
    try {
      const fallback = load(file) as { entityTag: typeof entityTag };
      assert.equal(fallback.entityTag('é', false), defined('é'));
    } finally {
      Object.assign(crypto, { hash });
      load.cache[file] = kept;
    }
  });

  test('weakETag, strongETag: depend on the encoding of a string', () => {
    assert.equal(weakETag('é'), 'W/' + defined('é'));
    assert.equal(strongETag('é', 'utf8'), defined('é'));
    assert.equal(strongETag('é', 'latin1'), defined(Buffer.from([0xe9])));
    assert.equal(strongETag(Buffer.from([0xe9]), 'latin1'), defined(Buffer.from([0xe9])));
  });
});

describe('statTag', () => {
  test('size and modification time: are hexadecimal, in a weak tag', () => {
    assert.equal(statTag({ size: 11, mtime: new Date(0) }), 'W/"b-0"');
    assert.equal(statTag({ size: 4096, mtime: new Date(1700000000000) }), 'W/"1000-18bcfe56800"');
  });
});

describe('compileETag', () => {
  test('values: may be true, weak, strong, false or a function; others throw', () => {
    const own = () => '"x"';
    assert.equal(compileETag(true), weakETag);
    assert.equal(compileETag('weak'), weakETag);
    assert.equal(compileETag('strong'), strongETag);
    assert.equal(compileETag(false), undefined);
    assert.equal(compileETag(own), own);
    assert.throws(() => compileETag('x'), {
      name: 'TypeError',
      message: 'unknown value for etag function: x',
    });
  });
});
