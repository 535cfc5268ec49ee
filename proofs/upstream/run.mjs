/**
 * Runs the test suites of other projects with Express and with our packages, and writes docs/proofs/upstream.md.
 *
 *     npm run upstream [-- --verbose] [word ...]      all projects, or those whose name and version contain a word
 *     node proofs/upstream/run.mjs --page [--check]          only writes the page from the recorded results, or compares it
 *     node proofs/upstream/run.mjs --releases                only says which releases of the originals are newer than the compared ones
 *     UPSTREAM_MIRROR=dir npm run upstream            those of which the directory has a clone
 *
 * Requires built packages, git, and the npm registry.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { npm } from '../../scripts/npm.mjs';
import { matching, readOptions } from '../../scripts/options.cjs';
import { installTarballs, pack } from '../../scripts/pack.mjs';
import { packageHomes, root } from '../../scripts/packages.cjs';
import { projects } from './catalog.mjs';
import { isAvailable } from './checkout.mjs';
import { runProject } from './project.mjs';
import { releases } from './releases.mjs';
import { keyOf, pageOf } from './table.mjs';

const { values: options, positionals: words } = readOptions(
  {
    verbose: { type: 'boolean' },
    page: { type: 'boolean' },
    check: { type: 'boolean' },
    releases: { type: 'boolean' },
  },
  { words: true },
);
const HOME = import.meta.dirname;
const PAGE = path.join(root, 'docs/proofs/upstream.md');
const RESULTS = path.join(HOME, 'results.json');
const lockFile = path.join(HOME, 'commits.json');

/** @returns {import('./table.mjs').Results} */
const results = () => JSON.parse(fs.readFileSync(RESULTS, 'utf8'));

/** Returns all versions of a package on npm. @returns {string[]} */
const versionsOf = (/** @type {string} */ name) =>
  JSON.parse(npm(['view', name, 'versions', '--json', '--prefer-online'], root));

/** Writes the page, or returns whether it is up to date. */
async function page(/** @type {boolean | undefined} */ isChecked) {
  const text = await format(pageOf(projects, results()), { ...(await resolveConfig(PAGE)), filepath: PAGE });
  if (isChecked) return fs.existsSync(PAGE) && fs.readFileSync(PAGE, 'utf8') === text;
  fs.writeFileSync(PAGE, text);
  return true;
}

/** Records a result, in the order of the catalogue. */
function record(/** @type {string} */ key, /** @type {import('./project.mjs').Result} */ result) {
  const all = { ...results(), [key]: result };
  const keys = projects.flatMap(({ name, versions }) => versions.map(version => keyOf(name, version)));
  const kept = keys.flatMap(each => (all[each] ? [[each, all[each]]] : []));
  fs.writeFileSync(RESULTS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Returns the exit code. */
async function main() {
  if (options.page) {
    if (await page(options.check)) return 0;
    console.error('docs/proofs/upstream.md is out of date: node proofs/upstream/run.mjs --page');
    return 1;
  }
  if (options.releases) {
    for (const { home, name, compared, suite, newer } of releases(versionsOf)) {
      const line = `${home}: compared with ${name} ${compared}${suite && `, suite of ${suite}`}`;
      // GitHub shows a warning at the run.
      console.log(
        newer ? `${process.env.GITHUB_ACTIONS ? '::warning::' : ''}${line}: ${newer} is newer` : line,
      );
    }
    return 0;
  }
  const mirror = process.env.UPSTREAM_MIRROR;
  const chosen = matching(
    projects.flatMap(project => project.versions.map(version => ({ project, version }))),
    words,
    ({ project, version }) => keyOf(project.name, version),
  ).filter(({ project, version }) => isAvailable(project, version, mirror));
  if (chosen.length === 0) throw new Error('The mirror has none of these projects.');
  const drafts = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-packed-'));
  let code = 0;
  try {
    const homes = packageHomes();
    const locate = installTarballs(pack(homes, path.join(drafts, 'tarballs')), homes, drafts);
    for (const { project, version } of chosen) {
      const key = keyOf(project.name, version);
      console.log(key);
      try {
        const report = (/** @type {string} */ output) => options.verbose && console.log(output);
        const { result, problems } = await runProject(project, version, { mirror, lockFile, locate, report });
        record(key, result);
        console.log(`  with Express ${result.express}, here ${result.here}, lost ${result.losses.length}`);
        for (const problem of problems) console.log(`  ${problem}`);
        if (problems.length > 0) code = 1;
      } catch (error) {
        console.log(`  ${/** @type {Error} */ (error).message}`);
        code = 1;
      }
    }
  } finally {
    fs.rmSync(drafts, { recursive: true });
  }
  await page(false);
  return code;
}

process.exitCode = await main();
