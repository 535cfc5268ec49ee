// runs: once
/** Figures on pages come from proofs/bench/results, and packages from COMPATIBILITY. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root } from './recipes';

const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const cellsOf = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map(cell => cell.trim());

/** Returns the rows of the first table whose head begins with the given words, as cells by column. */
function tableIn(text: string, ...first: string[]): Record<string, string>[] {
  const lines = text.split('\n');
  const start = lines.findIndex(line => first.every((word, i) => cellsOf(line)[i] === word));
  assert.ok(start >= 0, first.join(' | '));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  const head = cellsOf(lines[start] ?? '');
  return lines
    .slice(start + 2, end)
    .map(line => Object.fromEntries(cellsOf(line).map((cell, i) => [head[i] ?? '', cell])));
}

/** Returns what the front page and README say of the programs that were compared, and of the restarts that were measured. */
function claims(): string[] {
  const [, programs, packages] =
    /(\d+) programs with (\d+) packages/.exec(read('docs/COMPATIBILITY.md')) ?? [];
  const stops = /✔ (\d+) restarts: 0 of (\d+) GET and 0 of (\d+) POST/;
  const [, restarts, gets, posts] = stops.exec(read('proofs/bench/results/operations-2026-11-21.md')) ?? [];
  const requests = (Number(gets) + Number(posts)).toLocaleString('en');
  return [
    `${programs} programs with ${packages} packages`,
    `${restarts} restarts under load, 0 of ${requests} requests`,
  ];
}

describe('figures', () => {
  test('speed: the front page and the comparison agree with the newest results', async () => {
    const { pages, withFigures } = await import('../../scripts/figures.mjs');
    assert.equal(pages.length, 2);
    for (const page of pages) {
      const written = await withFigures(page, read(page));
      assert.ok(/json hello.*\d\.\d\d/.test(written), page);
      assert.equal(read(page), written, `${page}: run node scripts/figures.mjs`);
    }
  });

  test('comparison: the figures of a page with a database agree with the scale results', () => {
    const scale = read('proofs/bench/results/scale-2026-11-22.md');
    assert.match(scale, /\| ristretto \| 1 \| 260 \|/);
    assert.match(scale, /\| express4 \| 1 \| 462 \|/);
    const [, programs, packages] =
      /(\d+ programs) with (\d+ packages)/.exec(read('docs/COMPATIBILITY.md')) ?? [];
    assert.ok(read('docs/comparison.md').includes(`${programs} with ${packages}`));
  });

  test('claims: README and the front page agree with the proofs', () => {
    for (const page of ['README.md', 'docs/index.md'])
      for (const claim of claims()) assert.ok(read(page).includes(claim), `${page}: ${claim}`);
  });

  test('packages: our own are listed', () => {
    const page = read('docs/packages.md');
    const home = path.join(root, 'packages/middleware');
    for (const name of fs.readdirSync(home))
      if (fs.existsSync(path.join(home, name, 'Readme.md')))
        assert.ok(page.includes(`(../packages/middleware/${name}/Readme.md)`), name);
  });

  test('packages: each has been run', () => {
    const tested = read('docs/COMPATIBILITY.md') + read('examples/package.json');
    const rows = tableIn(read('docs/packages.md'), 'purpose', 'package');
    assert.ok(rows.length > 20);
    for (const { package: named = '', notes = '' } of rows)
      for (const [, name = ''] of `${named} ${notes}`.matchAll(/`([@a-z][\w@/-]*)`/g))
        assert.ok(
          tested.includes(`\`${name}\``) || tested.includes(`"${name}"`) || /^(?:web|app|res)$/.test(name),
          name,
        );
  });
});
