// runs: each
/** Maps URLs to files, never outside the root, and recognizes other spellings of a path. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalPath,
  decodePath,
  isCanonical,
  locate,
  namesDevice,
  namesOther,
} from '@ristretto/private-engine/lib/static/resolve';
import { assertFast } from '../support/worst-case.js';

const ROOT = '/srv/public';

describe('locate', () => {
  test('root: the file is below it', () => {
    assert.equal(locate('/a/b.txt', ROOT, 'ignore'), '/srv/public/a/b.txt');
    assert.equal(locate('a/b.txt', ROOT, 'ignore'), '/srv/public/a/b.txt');
    assert.equal(locate('', ROOT, 'ignore'), '/srv/public');
    assert.equal(locate('/', ROOT, 'ignore'), '/srv/public/');
    assert.equal(locate('/a//./b/../c', ROOT, 'ignore'), '/srv/public/a/c');
    assert.equal(locate('/a', '/', 'ignore'), '/a');
  });

  test('root: if missing, the path is absolute or relative to the working directory', () => {
    assert.equal(locate('/a/b.txt', undefined, 'ignore'), '/a/b.txt');
    assert.equal(locate('/a/b/', undefined, 'ignore'), '/a/b');
    assert.equal(locate('b.txt', undefined, 'ignore'), resolve('b.txt'));
    assert.equal(locate('/a/../b', undefined, 'ignore'), 403);
  });

  test('upwards: returns 403', () => {
    for (const path of ['/..', '/../x', '/a/../../x', '..', '/..\\x', '/a\\..\\b', '\\..\\b']) {
      assert.equal(locate(path, ROOT, 'allow'), 403, path);
    }
  });

  test('null byte: returns 400', () => {
    assert.equal(locate('/a\0', ROOT, 'allow'), 400);
    assert.equal(locate('/a\0/../..', undefined, 'allow'), 400);
  });

  test('dotfiles: are allowed or denied by each policy', () => {
    const results = (['allow', 'deny', 'ignore', 'ignore-files'] as const).map(dotfiles =>
      ['/.a', '/.a/b', '/.a/', '/.', '/a/.b/c'].map(path => typeof locate(path, ROOT, dotfiles) === 'string'),
    );
    assert.deepEqual(results, [
      [true, true, true, true, true],
      [false, false, false, true, false],
      [false, false, false, true, false],
      [false, true, true, true, true],
    ]);
    assert.equal(locate('/.a', ROOT, 'deny'), 403);
    assert.equal(locate('/.a', ROOT, 'ignore'), 404);
  });

  test('any path: never leaves the root', () => {
    const path = fc.string({ unit: fc.constantFrom('/', '.', '..', '\\', 'a', '%', ' ', 'é', '\0', ':') });
    fc.assert(
      fc.property(path, text => {
        const file = locate(text, ROOT, 'allow');
        if (typeof file === 'number') return;
        assert.ok(file === ROOT || file.startsWith(ROOT + '/'), file);
        assert.equal(resolve(file).startsWith(ROOT), true);
      }),
      { seed: 1, numRuns: 2000 },
    );
  });

  test('any path: takes linear time', () => {
    assertFast(path => locate(path, ROOT, 'deny'), '/');
    assertFast(path => namesDevice(path), 'con');
    for (const start of ['a.', ' ', 'a~1']) assertFast(path => namesOther(path), start);
    assertFast(path => isCanonical(path), '/');
  });
});

describe('decodePath', () => {
  test('decodes once, and only UTF-8', () => {
    assert.equal(decodePath('/a b'), '/a b');
    assert.equal(decodePath('/%252e%20'), '/%2e ');
    assert.equal(decodePath('/%E2%98%83'), '/☃');
    for (const bad of ['/%', '/%zz', '/%ff', '/%E2%98']) assert.equal(decodePath(bad), undefined);
  });
});

describe('isCanonical', () => {
  test('canonical: includes ordinary paths with characters that must or may be encoded', () => {
    const paths = [
      '',
      '/',
      '/a',
      '/a/',
      '/a/b.c',
      '/a%20b',
      '/%E2%98%83',
      '/a%40b',
      '/%252e',
      '/...',
      '/.a',
      '/..a',
      '/a..',
      '/a%2',
      '/%',
    ];
    for (const path of paths) assert.equal(isCanonical(path), true, path);
  });

  test('not canonical: includes redundant separators, dot segments and escapes', () => {
    const paths = [
      ...[
        '//',
        '//a',
        '/a//b',
        '/a//',
        '/./a',
        '/a/.',
        '/a/..',
        '/../a',
        '/a%2Fb',
        '/a%2fb',
        '/%61',
        '/a%5F',
      ],
      ...['/%2e', '/%2E%2E', '/a%2Db', '/%30'],
    ];
    for (const path of paths) assert.equal(isCanonical(path), false, path);
  });

  test('backslash: is a separator on Windows only', () => {
    for (const path of ['/a\\b', '/a%5Cb', '/%5c']) {
      assert.equal(isCanonical(path, '\\'), false, path);
      assert.equal(isCanonical(path, '/'), true, path);
    }
  });
});

describe('namesDevice', () => {
  test('detects devices and streams of Windows, in every directory and with every extension', () => {
    for (const path of [
      'con',
      'CON',
      'a/nul',
      'a\\AUX',
      'prn.txt',
      'lpt1/x',
      'COM9',
      'com¹',
      'nul ',
      'conin$',
      'CONOUT$.txt',
      'con .txt',
      'C:',
      'a.txt::$DATA',
      'a:b',
    ]) {
      assert.equal(namesDevice(path), true, path);
    }
    for (const path of ['console', 'icon', 'a.con', 'com', 'com10', 'lpt', 'auxiliary/x', 'null']) {
      assert.equal(namesDevice(path), false, path);
    }
  });
});

describe('namesOther', () => {
  test('detects dots and spaces that Windows drops, and names in short form', () => {
    const others = ['a.', 'a ', 'a. .', 'x\\a./b', '... ', ' ', 'x/ /y', 'a.txt.'];
    for (const path of [...others, 'ENV~1', 'x/admini~1/y', 'ABCDEF~2.HTM', 'a\\AB~10.c']) {
      assert.equal(namesOther(path), true, path);
    }
    const plain = [
      'a',
      '.',
      '.\\',
      '',
      '.env',
      'a.b',
      ' a',
      'a b',
      '~1',
      'a~b',
      'report~2024.pdf',
      'a~1x',
      'ab~1.json',
      'x.a~1',
    ];
    for (const path of plain) assert.equal(namesOther(path), false, path);
  });
});

describe('canonicalPath', () => {
  test('removes empty and dot segments, needless escapes, and the trailing slash', () => {
    const expected: Record<string, string> = {
      '': '',
      '/': '',
      '//.//': '',
      '/a': '/a',
      '/a/': '/a',
      '//a///b/./': '/a/b',
      '/%61%2Eb': '/a.b',
      '/%2e/a%20b%C3%A9%7e': '/a%20b%C3%A9%7e',
      '/%2561/%25%36%31': '/%2561/%2561',
      '/a..b': '/a..b',
    };
    for (const [path, canonical] of Object.entries(expected))
      assert.equal(canonicalPath(path), canonical, path);
  });

  test('returns undefined for .. segments, hidden names, backslashes, and encoded separators and null bytes', () => {
    const paths = [
      '/a/..',
      '/%2e%2e/a',
      '/.%2E',
      '/.a',
      '//%2ea/b',
      '/..a',
      '/\\a',
      '/a%5cb',
      '/a%2Fb',
      '/%00',
    ];
    for (const path of paths) assert.equal(canonicalPath(path), undefined, path);
  });

  test('any path: is made canonical, begins with one slash, and names the same file', () => {
    const unit = fc.constantFrom(
      '/',
      '.',
      '%2e',
      '%61',
      '%25',
      '%2f',
      '%5c',
      '\\',
      'a',
      '~',
      '%7E',
      '%C3%A9',
      '61',
    );
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        const path = `/${text}`;
        const canonical = canonicalPath(path);
        if (canonical === undefined) return;
        assert.ok(isCanonical(canonical || '/'), canonical);
        assert.match(`${canonical}/`, /^\/(?![/\\])/);
        assert.equal(canonicalPath(canonical), canonical);
        const [file, other] = [path, canonical || '/'].map(one => locate(decodePath(one)!, ROOT, 'allow'));
        assert.equal(String(file).replace(/\/$/, ''), String(other).replace(/\/$/, ''));
      }),
      { seed: 1, numRuns: 5000 },
    );
  });

  test('any path: takes linear time', () => {
    for (const prefix of ['/', '/%61']) assertFast(path => canonicalPath(path), prefix);
  });
});
