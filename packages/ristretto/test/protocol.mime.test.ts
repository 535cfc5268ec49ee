/** Media types and charsets of file extensions, as in Express. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  charsetOf,
  contentTypeOf,
  loadMime,
  typeOfExtension,
} from '@ristretto/private-engine/lib/protocol/mime';
import { oracleModule } from './support/fake-request.js';

interface Mime {
  types: Record<string, string>;
  lookup(path: string): string;
}
const mime = oracleModule('mime') as Mime & { charsets: Mime };
const mimeTypes = oracleModule('mime-types') as Mime;

const ALL = [...new Set([...Object.keys(mime.types), ...Object.keys(mimeTypes.types)])];
const ODD = [
  '',
  '.',
  '/',
  'a/',
  'a.',
  'constructor',
  '__proto__',
  'x.toString',
  'a.b/c',
  'tar.gz',
  'no-such',
];

function assertSameTypes(): void {
  for (const extension of [...ALL, ...ODD]) {
    for (const path of [
      extension,
      `.${extension}`,
      `/a.b/c.${extension}`,
      `C:\\x.${extension.toUpperCase()}`,
    ]) {
      assert.equal(contentTypeOf(path), mime.lookup(path), path);
      assert.equal(typeOfExtension(path), mimeTypes.lookup(path), path);
    }
    const type = mime.lookup(extension);
    assert.equal(charsetOf(type), mime.charsets.lookup(type), type);
  }
}

describe('protocol/mime', () => {
  test('contentTypeOf, charsetOf, typeOfExtension: match Express for all known extensions', () => {
    for (const type of Object.values(mime.types)) assert.equal(charsetOf(type), mime.charsets.lookup(type));
    assertSameTypes();
    loadMime();
    assertSameTypes();
  });

  test('charsetOf: text, JSON and JavaScript are UTF-8', () => {
    for (const type of ['text/plain', 'application/json', 'application/javascript', 'application/json5']) {
      assert.equal(charsetOf(type), 'UTF-8');
    }
    assert.equal(charsetOf('application/xml'), undefined);
  });

  test('loadMime: returns the module itself, to which an application can add types', () => {
    assert.equal(loadMime(), mime);
    loadMime().define({ 'text/x-recipe': ['recipe'] });
    assert.equal(contentTypeOf('pie.recipe'), 'text/x-recipe');
  });
});
