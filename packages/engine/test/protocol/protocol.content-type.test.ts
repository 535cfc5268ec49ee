// runs: slow
/** `Content-Type`, which requests have a body, and the media types of file extensions: as in Express. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import {
  formatContentType,
  normalizeType,
  normalizeTypes,
  parseContentType,
  setCharset,
  typeIs,
} from '@ristretto/private-engine/lib/protocol/content-type';
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
import { extension, mediaType, space } from '../support/field-values.js';
import { Random, words } from '../support/random.js';

interface ContentType {
  type: string;
  parameters: Record<string, string>;
}
const theirs = oracleModule('content-type') as {
  parse(header: string): ContentType;
  format(contentType: ContentType): string;
};
const utils = oracleModule('express/lib/utils') as {
  normalizeType(type: string): unknown;
  setCharset(type: string, charset: string): string;
};

/** Returns the result of a function as a plain value, or its error. */
function outcome(run: () => unknown): unknown {
  try {
    const value = run();
    return typeof value === 'object' ? { ...value } : value;
  } catch (error) {
    return String(error);
  }
}

function parameter(random: Random): string {
  const name = random.pick(['a', 'Charset', '__proto__', 'q', '', 'a b', '\u00e9']);
  const value = random.pick([
    'b',
    '"c d"',
    '"\\"\\\\"',
    '"x',
    '',
    '"\u00e9"',
    '"\\\u00e9"',
    '"\v"',
    '"\t"',
    'a"b',
  ]);
  return space(random) + ';' + space(random) + name + random.pick(['=', '=', ' = ', '', '==']) + value;
}

describe('protocol/content-type', () => {
  test('parse: throws a TypeError for a missing header', () => {
    assert.throws(() => parseContentType(''), new TypeError('argument string is required'));
    assert.throws(
      () => parseContentType(5 as never),
      new TypeError('argument string is required to be a string'),
    );
  });

  test('parse: returns the same as Express for 5,000 random headers', () => {
    const random = new Random(1);
    for (let at = 0; at < 5000; at++) {
      const header = space(random) + mediaType(random) + random.many(0, 3, () => parameter(random)).join('');
      const ours = outcome(() => parseContentType(header));
      assert.deepEqual(
        ours,
        outcome(() => theirs.parse(header)),
        JSON.stringify(header),
      );
    }
  });

  test('format: sorts parameters, quotes them if they are not tokens, throws a TypeError for what cannot be sent', () => {
    const cases: [unknown, string][] = [
      [{ type: 'a/b', parameters: { b: 'x y', a: '1' } }, 'a/b; a=1; b="x y"'],
      [{ type: 'a/b', parameters: { a: '"\\' } }, 'a/b; a="\\"\\\\"'],
      [{ type: 'a/b', parameters: { a: '' } }, 'a/b; a=""'],
      [{ type: 'a/b', parameters: {} }, 'a/b'],
      [{ type: '', parameters: {} }, 'TypeError: invalid type'],
      [{ type: 'a', parameters: {} }, 'TypeError: invalid type'],
      [{ type: 'a/b', parameters: { 'a b': '1' } }, 'TypeError: invalid parameter name'],
      [{ type: 'a/b', parameters: { a: '\n' } }, 'TypeError: invalid parameter value'],
    ];
    for (const [contentType, expected] of cases) {
      assert.equal(
        outcome(() => formatContentType(contentType as ContentType)),
        expected,
      );
      assert.equal(
        outcome(() => theirs.format(contentType as ContentType)),
        expected,
      );
    }
  });

  test('setCharset: replaces or adds the charset', () => {
    assert.equal(setCharset('text/html; charset=a; b="x y"', 'utf-8'), 'text/html; b="x y"; charset=utf-8');
    assert.equal(setCharset(undefined, 'utf-8'), undefined);
    for (const type of ['text/html', 'text/html; charset=a', 'Text/HTML', '', 'text', 'a/b; c']) {
      for (const charset of ['utf-8', '', 'a b', '\u00e9', '\n']) {
        const expected = outcome(() => utils.setCharset(type, charset));
        assert.equal(
          outcome(() => setCharset(type, charset)),
          expected,
        );
      }
    }
  });

  test('normalizeType: accepts an extension, or a media type with its parameters and quality', () => {
    assert.deepEqual(normalizeTypes(['html', 'a/b;c=d;q=0.5']), [
      { value: 'text/html', params: {} },
      { value: 'a/b', quality: 0.5, params: { c: 'd' } },
    ]);
    const random = new Random(2);
    for (let at = 0; at < 3000; at++) {
      const tail = random.many(0, 3, () => parameter(random)).join('');
      const type = random.chance(0.3) ? extension(random) : mediaType(random) + tail;
      assert.deepEqual(normalizeType(type), utils.normalizeType(type), JSON.stringify(type));
    }
  });

  test('CVE-2022-41919, CVE-2026-25223, CVE-2026-3419, CVE-2026-33806: parser and type check agree', () => {
    for (const header of [
      'application/json\ta',
      'application/json garbage',
      'application/json;',
      'application/jsonx',
    ]) {
      assert.equal(typeIs(header, ['json', 'application/json']), false, header);
    }
    assert.equal(typeIs(' application/json', ['json']), 'json');
    assert.equal(parseContentType(' application/json').type, 'application/json');
    const random = new Random(3);
    for (let at = 0; at < 5000; at++) {
      const header = space(random) + mediaType(random) + random.many(0, 3, () => parameter(random)).join('');
      const type = typeIs(header, []);
      if (type !== false) assert.equal(parseContentType(header).type, type, JSON.stringify(header));
    }
  });
});

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
