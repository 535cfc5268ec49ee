/**
 * The Node.js versions that the tests run on. scripts/nodes.json names the exact version of each major; missing ones
 * are downloaded once from npm, and stay in .nodes/ for runs without a network.
 *
 *     node scripts/nodes.mjs             downloads missing versions
 *     node scripts/nodes.mjs --update    first writes the newest version of each major into nodes.json
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { INSTALL_FLAGS, npm } from './npm.mjs';
import { readOptions } from './options.cjs';
import { root } from './test-files.mjs';

/** @typedef {{ version: string, binary: string }} Node */

const CACHE = path.join(root, '.nodes');
const VERSIONS = path.join(root, 'scripts/nodes.json');

/** @returns {Record<string, string>} the exact version of each major */
function versions() {
  return JSON.parse(fs.readFileSync(VERSIONS, 'utf8'));
}

/** @type {Node} The Node that runs this script. It represents its major version, regardless of the minor. */
export const here = { version: process.versions.node, binary: process.execPath };
const majorHere = here.version.split('.')[0];

/** Returns the majors in nodes.json other than that of this process. */
export function otherMajors() {
  return Object.keys(versions()).filter(major => major !== majorHere);
}

/** Returns the npm package with the binary for this machine; the package `node` would install it with a script. */
function packageName() {
  const { platform, arch } = process;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`;
}

/**
 * Installs a version into the cache. It is moved into place once it is complete, because another process may look for
 * it.
 */
function fetchNode(/** @type {string} */ version) {
  const partial = path.join(CACHE, `${version}.${process.pid}`);
  fs.mkdirSync(partial, { recursive: true });
  try {
    const wanted = `${packageName()}@${version}`;
    npm(['install', ...INSTALL_FLAGS, '--no-save', '--prefix', partial, wanted], partial);
    fs.renameSync(partial, path.join(CACHE, version));
  } catch (error) {
    fs.rmSync(partial, { recursive: true, force: true });
    throw new Error(`Node ${version} is not in .nodes/ and can't be fetched; \`--here\` does without it`, {
      cause: error,
    });
  }
}

/** Returns the Node of a major or release: the current one, a cached one, or one that is downloaded now. @returns {Node} */
export function nodeOf(/** @type {string} */ major) {
  if (major === majorHere || major === here.version) return here;
  const version = major.includes('.') ? major : versions()[major];
  if (version === undefined)
    throw new TypeError(`Expected a major of scripts/nodes.json (${Object.keys(versions())}), got ${major}`);
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const binary = path.join(CACHE, version, 'node_modules', packageName(), 'bin', file);
  if (!fs.existsSync(binary)) fetchNode(version);
  const { stdout, error } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (stdout?.trim() !== `v${version}`)
    throw new Error(`Expected ${binary} to be Node ${version}, got ${stdout || error}`);
  return { version, binary };
}

/** Returns the releases of a major, the newest last. @returns {string[]} */
function releasesOf(/** @type {string} */ major) {
  const found = JSON.parse(npm(['view', `${packageName()}@${major}`, 'version', '--json'], root));
  return [found].flat().sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Returns some releases of each major but that of this process: the first, the newest, and every eighth between. */
export function someReleases() {
  return otherMajors().flatMap(major =>
    releasesOf(major).filter((_, at, all) => at === all.length - 1 || at % 8 === 0),
  );
}

/** Writes the newest version of each major into nodes.json, and removes all others from the cache. */
function update() {
  const newest = Object.keys(versions()).map(major => [major, releasesOf(major).at(-1)]);
  fs.writeFileSync(VERSIONS, `${JSON.stringify(Object.fromEntries(newest), null, 2)}\n`);
  const kept = new Set(newest.map(([, version]) => version));
  for (const name of fs.existsSync(CACHE) ? fs.readdirSync(CACHE) : [])
    if (!kept.has(name)) fs.rmSync(path.join(CACHE, name), { recursive: true });
}

if (process.argv[1] === import.meta.filename) {
  if (readOptions({ update: { type: 'boolean' } }).values.update) update();
  for (const major of otherMajors()) console.log(`${nodeOf(major).version} is in .nodes/`);
}
