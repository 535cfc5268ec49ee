/** The check of the table of features: that a row whose tests are gone is found. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { catalog } from './features/catalog.js';
import { findTests, isOfRow, namesId, ownTests, toMarkdown } from './features/table.js';
import type { NotedTest } from './features/table.js';

const noted = (member: string, title: string): NotedTest => ({
  file: 'packages/x/test/a.test.ts',
  suites: [member],
  title,
});
const small = [
  {
    title: 'One',
    members: { 'res.a': { path: 'where', 'path: long': 'how' } },
    ids: { 'CVE-1-2': 'attack' },
  },
];
const all = [noted('res.a', 'path: long | one'), noted('other', 'CVE-1-2: is refused')];
const missing = (tests: NotedTest[]) =>
  findTests(small, tests)
    .filter(row => row.tests.length === 0)
    .map(({ row }) => row);

describe('table of features', () => {
  test('missing: a row whose last test is removed is found', () => {
    assert.deepEqual(missing(all), []);
    assert.deepEqual(missing(all.slice(1)), ['path', 'path: long']);
    assert.deepEqual(missing(all.slice(0, 1)), ['CVE-1-2']);
    assert.deepEqual(missing([noted('res.b', 'path: long'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a', 'path: short'), all[1]!]), ['path: long']);
  });

  test('missing: tests of Express alone do not count', () => {
    assert.deepEqual(missing([noted('res.a', 'path: long (express)'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a (express)', 'path: long'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a (ristretto)', 'path: long (ristretto)'), all[1]!]), []);
    assert.equal(ownTests([noted('a', 'b (ristretto)')])[0]?.title, 'b');
  });

  test('missing: a chapter of another package has the tests of that one only, and the others have none of them', () => {
    const chapter = { title: 'Old', home: 'packages/y/', members: { 'res.a': { path: 'where' } } };
    const rows = (file: string) =>
      findTests([small[0]!, chapter], [{ ...all[0]!, file }])
        .filter(({ row, tests }) => row === 'path' && tests.length > 0)
        .map(found => found.chapter);
    assert.deepEqual(rows('packages/y/test/a.test.ts'), ['Old']);
    assert.deepEqual(rows('packages/x/test/a.test.ts'), ['One']);
  });

  test('rows: stand before the colon, alone or in a list, or begin the title', () => {
    for (const title of ['etag: x', 'etag', 'last, etag: x', 'etag, last: x', 'etag: x: y'])
      assert.ok(isOfRow('etag', title), title);
    for (const title of ['etag of x: y', 'weak etag: x', 'etags: x', 'x: etag', 'a: etag, b: c'])
      assert.ok(!isOfRow('etag', title), title);
    for (const title of ['type: a', 'type: a function', 'type: a, b'])
      assert.ok(isOfRow('type: a', title), title);
    for (const title of ['type: array', 'type: b', 'type']) assert.ok(!isOfRow('type: a', title), title);
  });

  test('ids: are whole', () => {
    assert.ok(namesId('CVE-1-2', 'x (CVE-1-2)') && namesId('CVE-1-2', 'CVE-1-2, CVE-3-4: x'));
    assert.ok(!namesId('CVE-1-2', 'CVE-1-23: x') && !namesId('CVE-1-2', 'XCVE-1-2: x'));
  });

  test('Markdown: a row with its file and titles, bars escaped', () => {
    const lines = toMarkdown(findTests(small, all), '# T\n').split('\n');
    assert.deepEqual(lines.slice(0, 8), [
      ...['# T', '', '## One', '', '### res.a', ''],
      ...['| row | what it is | tests |', '| --- | --- | --- |'],
    ]);
    assert.equal(
      lines[9],
      '| `path: long` | how | [a.test.ts](../../packages/x/test/a.test.ts): path: long \\| one |',
    );
  });

  test('chapters: every file beside the catalogue is in it', () => {
    const folder = path.join(__dirname, 'features');
    const chapters = fs
      .readdirSync(folder)
      .filter(name => fs.readFileSync(path.join(folder, name), 'utf8').includes(': Chapter = {'));
    const text = fs.readFileSync(path.join(folder, 'catalog.ts'), 'utf8');
    for (const name of chapters) assert.ok(text.includes(`'./${name.replace('.ts', '.js')}'`), name);
    assert.ok(findTests(catalog, []).length > 800);
  });

  test('titles: are those of a run: of loops and shared functions, without what is skipped or empty', () => {
    const root = path.join(__dirname, '../../..');
    const program = `
      import { testTitles } from './scripts/test-titles.mjs';
      console.log(JSON.stringify(testTitles(['packages/ristretto/test/fixtures/titles.ts'], process.cwd())));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
    const tests = JSON.parse(child.stdout.toString()) as NotedTest[];
    assert.deepEqual(
      tests.map(({ suites, title }) => [...suites, title].join(' > ')),
      ['outer > a: 1', 'outer > b: 1', 'outer > inner > c: 1', 'd: 1', 'e: 1'],
    );
  });
});
