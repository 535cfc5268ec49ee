/** Media types and charsets of file extensions, as in Express. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import {
  charsetOf,
  contentTypeOf,
  loadMime,
  typeOfExtension,
} from '@ristretto/private-engine/lib/protocol/mime';
import {
  registeredContentType,
  registeredType,
  registeredTypeOfFile,
} from '@ristretto/private-engine/lib/protocol/registered-types';
import { oracleModule } from '../support/fake-request.js';
import { words } from '../support/random.js';

interface Mime {
  types: Record<string, string>;
  lookup(path: string): string;
}
const mime = oracleModule('mime') as Mime & { charsets: Mime };
const mimeTypes = oracleModule('mime-types') as Mime;
const ofExpress5 = createRequire(require.resolve('express5'));
const mimeTypes3 = ofExpress5('mime-types') as Mime & { contentType(type: string): string | false };
const registry = createRequire(ofExpress5.resolve('mime-types'))('mime-db') as Record<string, unknown>;

const ALL = [...new Set([mime, mimeTypes, mimeTypes3].flatMap(({ types }) => Object.keys(types)))];
const ODD = ['', ...words('. / a/ a. constructor __proto__ x.toString a.b/c tar.gz no-such')];

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

  test('registeredType, registeredContentType: match mime-types 3 for all extensions and types', () => {
    for (const extension of [...ALL, ...ODD]) {
      for (const name of [extension, `.${extension}`, `/a.b/c.${extension}`, extension.toUpperCase()])
        assert.equal(registeredType(name), mimeTypes3.lookup(name), name);
      if (extension !== '' && !extension.includes('/'))
        assert.equal(registeredContentType(extension), mimeTypes3.contentType(extension), extension);
      const expected = mimeTypes3.contentType(extension);
      if (/^\w+$/.test(extension))
        assert.equal(registeredTypeOfFile(`a.${extension}`), expected || 'application/octet-stream');
    }
    const odd = ['a/b', 'TEXT/X', ' text/html ; a=b', 'text/html; charset=x', 'application/JSON', 'x/y; q'];
    for (const type of [...Object.keys(registry), ...odd])
      assert.equal(registeredContentType(type), mimeTypes3.contentType(type), type);
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
