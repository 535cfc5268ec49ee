/**
 * Generates the reference: an entry for every public member of each version, from the declarations, their
 * documentation, the titles of tests and the tables of differences.
 *
 *     node scripts/reference.mjs    writes docs/reference/, which is not in git
 *
 * Requires built packages: the members of Express are read from Express itself.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { additionsPage, pageOf } from './reference/pages.mjs';
import { pagesOf, versions } from './reference/versions.mjs';
import { readOptions } from './options.cjs';
import { root, testFiles } from './test-files.mjs';

const FOLDER = 'docs/reference';
const require = createRequire(import.meta.url);

/** Returns what tests of a package show, by the title of their suite: `res.send`. */
function behaviours(/** @type {string} */ name) {
  /** @type {import('./reference/pages.mjs').Behaviours} */
  const shown = {};
  // The tests of the engine run it as `ristretto`.
  const homes = [name, ...(name === 'ristretto' ? ['engine'] : [])].map(each => `packages/${each}/test/`);
  for (const file of testFiles().filter(each => homes.some(home => each.startsWith(home)))) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    const [, ...suites] = text.split(/^describe\((?=['"])|^ *describe\((?=`)/m);
    for (const suite of suites) {
      // A loop composes the rest of `res.send over ${server}`
      const [, , member = ''] = /^(['"])(.*?)\1/.exec(suite) ?? /^(`)([\w.]+)[ `]/.exec(suite) ?? [];
      // Titles that a loop composes are left out.
      for (const [, , title = ''] of suite.matchAll(/^ +test\(\s*(['"])(.*?)(?<!\\)\1/gm))
        (shown[member] ??= new Set()).add(title.replaceAll('\\', ''));
    }
  }
  return shown;
}

/** Returns the text of every page, by its path. */
async function texts() {
  const style = await resolveConfig(path.join(root, 'README.md'));
  /** @type {Map<string, string>} */
  const found = new Map();
  const add = async (/** @type {string} */ name, /** @type {string} */ text) =>
    found.set(path.posix.join(FOLDER, name), await format(text, { ...style, parser: 'markdown' }));
  /** @type {import('./reference/pages.mjs').Page[][]} */
  const all = [];
  for (const version of versions) {
    const [base = []] = all;
    const list = pagesOf(version, base);
    const shown = behaviours(version.package);
    for (const page of list) await add(path.posix.join(version.folder, page.file), pageOf(page, shown));
    all.push(list);
  }
  await add('additions.md', additionsPage(all));
  return found;
}

async function main() {
  readOptions({});
  require('./typescript.cjs');
  // Settings must have the defaults of a program that does not set NODE_ENV.
  delete process.env.NODE_ENV;
  fs.rmSync(path.join(root, FOLDER), { recursive: true, force: true });
  for (const [name, text] of await texts()) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

await main();
