/** Tests the check of the feature table: it must find a row that has lost its tests. */
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
  test('missing: finds a row whose last test was removed', () => {
    assert.deepEqual(missing(all), []);
    assert.deepEqual(missing(all.slice(1)), ['path', 'path: long']);
    assert.deepEqual(missing(all.slice(0, 1)), ['CVE-1-2']);
    assert.deepEqual(missing([noted('res.b', 'path: long'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a', 'path: short'), all[1]!]), ['path: long']);
  });

  test('missing: ignores tests that run only on Express', () => {
    assert.deepEqual(missing([noted('res.a', 'path: long (express)'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a (express)', 'path: long'), all[1]!]), ['path', 'path: long']);
    assert.deepEqual(missing([noted('res.a (ristretto)', 'path: long (ristretto)'), all[1]!]), []);
    assert.equal(ownTests([noted('a', 'b (ristretto)')])[0]?.title, 'b');
  });

  test('missing: a chapter of another package counts only its own tests, and other chapters none of them', () => {
    const chapter = { title: 'Old', home: 'packages/y/', members: { 'res.a': { path: 'where' } } };
    const rows = (file: string) =>
      findTests([small[0]!, chapter], [{ ...all[0]!, file }])
        .filter(({ row, tests }) => row === 'path' && tests.length > 0)
        .map(found => found.chapter);
    assert.deepEqual(rows('packages/y/test/a.test.ts'), ['Old']);
    assert.deepEqual(rows('packages/x/test/a.test.ts'), ['One']);
  });

  test('rows: match the text before the colon, alone or in a list, or the beginning of a title', () => {
    for (const title of ['etag: x', 'etag', 'last, etag: x', 'etag, last: x', 'etag: x: y'])
      assert.ok(isOfRow('etag', title), title);
    for (const title of ['etag of x: y', 'weak etag: x', 'etags: x', 'x: etag', 'a: etag, b: c'])
      assert.ok(!isOfRow('etag', title), title);
    for (const title of ['type: a', 'type: a function', 'type: a, b'])
      assert.ok(isOfRow('type: a', title), title);
    for (const title of ['type: array', 'type: b', 'type']) assert.ok(!isOfRow('type: a', title), title);
  });

  test('ids: match only as a whole', () => {
    assert.ok(namesId('CVE-1-2', 'x (CVE-1-2)') && namesId('CVE-1-2', 'CVE-1-2, CVE-3-4: x'));
    assert.ok(!namesId('CVE-1-2', 'CVE-1-23: x') && !namesId('CVE-1-2', 'XCVE-1-2: x'));
  });

  test('Markdown: has a row with its file and titles, with bars escaped', () => {
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

  test('chapters: the catalogue contains every chapter file beside it', () => {
    const folder = path.join(__dirname, 'features');
    const chapters = fs
      .readdirSync(folder)
      .filter(name => fs.readFileSync(path.join(folder, name), 'utf8').includes(': Chapter = {'));
    const text = fs.readFileSync(path.join(folder, 'catalog.ts'), 'utf8');
    for (const name of chapters) assert.ok(text.includes(`'./${name.replace('.ts', '.js')}'`), name);
    assert.ok(findTests(catalog, []).length > 800);
  });

  test('titles: are those of a run, including loops and shared functions, without skipped or empty tests', () => {
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
