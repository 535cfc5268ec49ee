/** Figures on pages come from bench/results, and packages from COMPATIBILITY. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { root } from './recipes';

const resultsOf = (version: string) => `bench/results/2026-11-26-node${version}.md`;
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

/** Checks that each row of a page has the values of the row of that name in a file of results. */
function assertMeasured(rows: Record<string, string>[], file: string, columns: Record<string, string>): void {
  const measured = new Map(tableIn(read(file), 'scenario').map(row => [row.scenario, row]));
  for (const row of rows) {
    const [scenario = ''] = Object.values(row);
    const source = measured.get(scenario);
    assert.ok(source, `${scenario} is not in ${file}`);
    // The ratio, before its quartiles
    for (const [column, name] of Object.entries(columns))
      assert.equal(row[column], source[name]?.split(' ')[0], `${scenario}, ${column}`);
  }
}

/** Returns what the front page and README say of the programs that were compared, and of the restarts that were measured. */
function claims(): string[] {
  const [, programs, packages] =
    /(\d+) programs with (\d+) packages/.exec(read('docs/COMPATIBILITY.md')) ?? [];
  const stops = /✔ (\d+) restarts: 0 of (\d+) GET and 0 of (\d+) POST/;
  const [, restarts, gets, posts] = stops.exec(read('bench/results/operations-2026-11-21.md')) ?? [];
  const requests = (Number(gets) + Number(posts)).toLocaleString('en');
  return [
    `${programs} programs with ${packages} packages`,
    `${restarts} restarts under load, 0 of ${requests} requests`,
  ];
}

/** Returns the claim about the usual middleware, from the results of two versions. */
function middlewareClaim(): string {
  const [on26, on24] = ['26.10.0', '24.21.0'].map(version => {
    const rows = tableIn(read(resultsOf(version)), 'scenario');
    const row = rows.find(({ scenario }) => scenario === 'usual middleware')!;
    return (name: string) => row[name]?.split(' ')[0] ?? '';
  });
  const both = (name: string) => `${on26!(name)} and ${on24!(name)}`;
  return (
    `${on26!('ristretto+')} on Node 26 and ${on24!('ristretto+')} on Node 24; Fastify with its plugins ${both('fastify')}; ` +
    `Express 4 with the originals ${both('express4')}`
  );
}

describe('figures', () => {
  test('usual middleware: the figures are those of the results on Node 26 and 24', () => {
    for (const page of ['README.md', 'docs/index.md', 'docs/comparison.md'])
      assert.ok(read(page).replace(/\s+/g, ' ').includes(middlewareClaim()), page);
  });

  test('comparison: the figures are those of the file that it names', () => {
    const rows = tableIn(read('docs/comparison.md'), 'scenario', 'ristretto', 'fastify');
    const [first] = rows;
    const [, ...names] = Object.keys(first ?? {});
    const columns = Object.fromEntries(names.map(name => [name, name]));
    assert.ok(rows.length > 5);
    assertMeasured(rows, resultsOf('24.21.0'), columns);
    const scale = read('bench/results/scale-2026-11-22.md');
    assert.match(scale, /\| ristretto \| 1 \| 260 \|/);
    assert.match(scale, /\| express4 \| 1 \| 462 \|/);
    const [, programs, packages] =
      /(\d+ programs) with (\d+ packages)/.exec(read('docs/COMPATIBILITY.md')) ?? [];
    assert.ok(read('docs/comparison.md').includes(`${programs} with ${packages}`));
  });

  test('front page: the figures are those of the results on Node 24', () => {
    const columns = {
      Ristretto: 'ristretto',
      Fastify: 'fastify',
      'Express 4': 'express4',
    };
    const rows = tableIn(read('docs/index.md'), 'scenario', 'Ristretto');
    assertMeasured(rows, resultsOf('24.21.0'), columns);
    for (const claim of claims()) assert.ok(read('docs/index.md').includes(claim), claim);
  });

  test('README: the figures are those of the files that it names', () => {
    const readme = read('README.md');
    const names = { Ristretto: 'ristretto', Fastify: 'fastify', 'Express 4': 'express4' };
    const [first] = tableIn(readme, 'scenario', 'Node 26: Ristretto');
    assert.ok(first);
    const lines = readme
      .split('\n')
      .filter(line => /^\| (?:json|text|last|\d+ (?:nested|middle)|nested|POST)/.test(line));
    for (const [version, at] of [
      ['26.10.0', 1],
      ['24.21.0', 4],
    ] as const) {
      const rows = lines.map(line => {
        const [scenario = '', ...cells] = cellsOf(line);
        const own = cells.slice(at - 1, at + 2);
        return { scenario, ...Object.fromEntries(Object.keys(names).map((name, i) => [name, own[i] ?? ''])) };
      });
      assert.ok(rows.length > 3);
      assert.ok(readme.includes(resultsOf(version)));
      assertMeasured(rows, resultsOf(version), names);
    }
    for (const claim of claims()) assert.ok(readme.includes(claim), claim);
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
