/**
 * Writes the figures of the front page and the comparison, between the lines `<!-- figures -->` and `<!-- /figures -->`,
 * from the newest results of `npm run bench` for each Node in proofs/bench/results.
 *
 *     node scripts/figures.mjs [--check]
 *
 * With `--check`, a page with other figures fails.
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import prettier from 'prettier';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

/** The pages, and the Nodes whose columns the table has there. */
const PAGES = {
  'docs/index.md': ['24'],
  'docs/comparison.md': ['26', '24'],
};
const COLUMNS = { ristretto: 'Ristretto', fastify: 'Fastify', express4: 'Express 4' };
/** In a sentence of its own: it compares other packages as well. */
const MIDDLEWARE = 'usual middleware';
/** Compared elsewhere: responses with schemas. */
const OTHERS = /schema/;

/** Returns the newest file of results by major version of Node. */
export function newestResults() {
  /** @type {Record<string, string>} */
  const newest = {};
  for (const name of fs.readdirSync(path.join(root, 'proofs/bench/results')).sort()) {
    const [, major] = /^\d{4}-\d\d-\d\d-node(\d+)\.[\d.]+\.md$/.exec(name) ?? [];
    if (major !== undefined) newest[major] = `proofs/bench/results/${name}`;
  }
  return newest;
}

/** Returns the ratios of a file, without their quartiles, by scenario and column. */
function ratiosIn(/** @type {string} */ file) {
  const rows = fs
    .readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.slice(2, -2).split(' | '));
  const [head = [], , ...body] = rows;
  return new Map(
    body.map(([scenario = '', ...cells]) => [
      scenario,
      Object.fromEntries(cells.map((cell, at) => [head[at + 1], cell.split(' ')[0] ?? ''])),
    ]),
  );
}

/** Returns a page with the figures of the results. */
export async function withFigures(/** @type {string} */ page, /** @type {string} */ text) {
  const majors = PAGES[/** @type {keyof typeof PAGES} */ (page)];
  const results = newestResults();
  const ratios = Object.fromEntries(['26', '24'].map(major => [major, ratiosIn(String(results[major]))]));
  const get = (/** @type {string} */ major, /** @type {string} */ scenario, /** @type {string} */ column) =>
    String(ratios[major]?.get(scenario)?.[column]);
  const prefix = (/** @type {string} */ major) => (majors.length > 1 ? `Node ${major}: ` : '');
  const table = [
    [
      'scenario',
      ...majors.flatMap(major => Object.values(COLUMNS).map((name, at) => (at ? '' : prefix(major)) + name)),
    ],
    ['---', ...majors.flatMap(() => Object.keys(COLUMNS).map(() => '---'))],
    ...[...(ratios[majors[0] ?? '']?.keys() ?? [])]
      .filter(scenario => scenario !== MIDDLEWARE && !OTHERS.test(scenario))
      .map(scenario => [
        scenario,
        ...majors.flatMap(major => Object.keys(COLUMNS).map(column => get(major, scenario, column))),
      ]),
  ];
  const both = (/** @type {string} */ column) =>
    `${get('26', MIDDLEWARE, column)} and ${get('24', MIDDLEWARE, column)}`;
  const links = majors
    .map(major => `[Node ${major}](${path.posix.relative(path.posix.dirname(page), String(results[major]))})`)
    .join(', ');
  const noise = majors.flatMap(major =>
    [...(ratios[major]?.values() ?? [])].map(({ again }) => Number(again)),
  );
  const figures = `Requests in the processor time that bare \`node:http\` needs for one (${links}; \`npm run bench\`). A second bare server measured
${Math.min(...noise).toFixed(2)} to ${Math.max(...noise).toFixed(2)}: that is the noise of this machine, which has two virtual cores.

${table.map(cells => `| ${cells.join(' | ')} |`).join('\n')}

With helmet, cors, compression, cookies, parsers and sessions on every request, on Node 26 and 24: ${both('ristretto+')} with our
packages; Fastify with its plugins ${both('fastify')}; Express 4 with the originals ${both('express4')}.`;
  const options = await prettier.resolveConfig(path.join(root, page));
  return prettier.format(
    text.replace(/(<!-- figures -->\n).*(?=<!-- \/figures -->)/s, (_, begin) => `${begin}\n${figures}\n\n`),
    { ...options, parser: 'markdown' },
  );
}

export const pages = Object.keys(PAGES);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = readOptions({ check: { type: 'boolean' } });
  for (const page of pages) {
    const file = path.join(root, page);
    const text = fs.readFileSync(file, 'utf8');
    const written = await withFigures(page, text);
    if (written === text) continue;
    if (!values.check) fs.writeFileSync(file, written);
    else {
      console.error(`${page} has other figures than proofs/bench/results: run node scripts/figures.mjs`);
      process.exitCode = 1;
    }
  }
}
