import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { decodePath, isCanonical, locate, namesDevice } from 'ristretto/lib/static/resolve';
import { assertFast } from './support/worst-case.js';

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

  test('root: without one the path is absolute or relative to the working directory', () => {
    assert.equal(locate('/a/b.txt', undefined, 'ignore'), '/a/b.txt');
    assert.equal(locate('/a/b/', undefined, 'ignore'), '/a/b');
    assert.equal(locate('b.txt', undefined, 'ignore'), resolve('b.txt'));
    assert.equal(locate('/a/../b', undefined, 'ignore'), 403);
  });

  test('upwards: 403', () => {
    for (const path of ['/..', '/../x', '/a/../../x', '..', '/..\\x', '/a\\..\\b', '\\..\\b']) {
      assert.equal(locate(path, ROOT, 'allow'), 403, path);
    }
  });

  test('null byte: 400', () => {
    assert.equal(locate('/a\0', ROOT, 'allow'), 400);
    assert.equal(locate('/a\0/../..', undefined, 'allow'), 400);
  });

  test('dotfiles: by each policy', () => {
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

  test('any path: linear time', () => {
    assertFast(path => locate(path, ROOT, 'deny'), '/');
    assertFast(path => namesDevice(path), 'con');
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
  test('canonical: everyday paths, with what must or may be encoded', () => {
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

  test('not canonical: separators and dot segments more than needed, needless escapes', () => {
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

  test('backslash: a separator on Windows only', () => {
    for (const path of ['/a\\b', '/a%5Cb', '/%5c']) {
      assert.equal(isCanonical(path, '\\'), false, path);
      assert.equal(isCanonical(path, '/'), true, path);
    }
  });
});

describe('namesDevice', () => {
  test('devices and streams of Windows, in every directory and with every extension', () => {
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
