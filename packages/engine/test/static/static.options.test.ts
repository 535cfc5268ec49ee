// runs: each
/** `filePolicy`: normalizes the options of `web.static` and `res.sendFile`. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import * as options from '@ristretto/private-engine/lib/static/file-options';
import type { FileOptions } from '@ristretto/private-engine/lib/static/file-options';
import { version } from 'ristretto/lib/version';

const filePolicy = (given: FileOptions): options.FilePolicy => options.filePolicy(given, version);

describe('filePolicy', () => {
  test('defaults: are set for all options', () => {
    assert.deepEqual(filePolicy({}), {
      version,
      root: undefined,
      acceptRanges: true,
      cacheControl: 'public, max-age=0',
      dotfiles: 'ignore-files',
      etag: true,
      lastModified: true,
      index: ['index.html'],
      extensions: [],
      start: 0,
      end: Infinity,
      precompressed: undefined,
    });
  });

  test('root: is made absolute', () => {
    assert.equal(filePolicy({ root: 'public/../x' }).root, resolve('x'));
    assert.equal(filePolicy({ root: '' }).root, undefined);
  });

  test('index, extensions: are copied, so later changes have no effect', () => {
    const names = ['a'];
    const policy = filePolicy({ index: names, extensions: names });
    names.push('b');
    assert.deepEqual([policy.index, policy.extensions], [['a'], ['a']]);
  });

  test('start, end: ignores null and false', () => {
    const policy = filePolicy({ start: null, end: null });
    assert.deepEqual([policy.start, policy.end], [0, Infinity]);
    assert.equal(filePolicy({ end: 0 }).end, 0);
    assert.throws(
      () => filePolicy({ end: '2' }),
      /^TypeError: end option must be a position in the file: 2$/,
    );
  });
});
