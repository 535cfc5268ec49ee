/**
 * Generates the reference: an entry for every public member of each version, from the declarations, their
 * documentation, the table of features and the tables of differences.
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
import { root } from './test-files.mjs';

const FOLDER = 'docs/reference';
const require = createRequire(import.meta.url);

/** Returns the behaviours of each member of a package that tests show, by the directory of its tests. */
function behaviours(/** @type {string | undefined} */ home) {
  const { catalog } = require('../packages/ristretto/test/features/catalog.ts');
  /** @type {Record<string, Record<string, string>>} */
  const found = {};
  for (const chapter of catalog) {
    if (chapter.home !== home) continue;
    for (const [name, rows] of Object.entries(chapter.members ?? {})) {
      for (const [row, promise] of Object.entries(rows)) {
        // A row about a whole object may refer to the member.
        if (/^(?:web|app|req|res|router|route)\.\w+$/.test(row)) found[row] = { ...found[row], '': promise };
        else found[name] = { ...found[name], [row]: promise };
      }
    }
  }
  return found;
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
    const shown = behaviours(version.home);
    for (const page of list) await add(path.posix.join(version.folder, page.file), pageOf(page, shown));
    all.push(list);
  }
  await add('additions.md', additionsPage(all));
  return found;
}

async function main() {
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
