/** Calls of npm: what is missing is installed, the package is packed. */
import fs from 'node:fs';
import path from 'node:path';
import { INSTALL_FLAGS, npm } from '../../scripts/npm.mjs';
import { HOME } from './catalog.mjs';

/** Installs what a package.json names, in its own folder. */
export function install(/** @type {string} */ folder, /** @type {string[]} */ flags = []) {
  npm(['install', ...INSTALL_FLAGS, ...flags], folder);
}

/** The dependencies of a group, by the names of their folders. @returns {Record<string, string>} */
export function dependencies(/** @type {string} */ group) {
  const manifest = JSON.parse(fs.readFileSync(path.join(HOME, group, 'package.json'), 'utf8'));
  return { ...manifest.dependencies };
}

/** The package.json of what is installed under a name for a group; undefined when nothing is. */
export function installed(/** @type {string} */ group, /** @type {string} */ name) {
  for (const base of [path.join(HOME, group), HOME]) {
    const file = path.join(base, 'node_modules', name, 'package.json');
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'));
  }
  return undefined;
}

/** Whether every dependency of a group is there in the exact version that its package.json names. */
function complete(/** @type {string} */ group) {
  return Object.entries(dependencies(group)).every(([name, wanted]) => {
    const found = installed(group, name);
    return found !== undefined && (wanted === found.version || wanted.endsWith(`@${found.version}`));
  });
}

/** Installs the given groups as the lock says, unless they are there. */
export function installGroups(/** @type {string[]} */ groups) {
  if (groups.every(complete)) return false;
  const first = !fs.existsSync(path.join(HOME, 'node_modules'));
  const chosen = groups.flatMap(group => ['-w', group]);
  // `npm ci` begins by removing everything: what another group has installed would be lost.
  npm([first ? 'ci' : 'install', ...INSTALL_FLAGS, ...chosen], HOME);
  const bad = groups.filter(group => !complete(group));
  if (bad.length > 0)
    throw new Error(`npm left dependencies of ${bad.join(', ')} out: are the versions exact?`);
  return true;
}

/** Packs a package of this repository; returns the path of the tarball. */
export function pack(/** @type {string} */ name, /** @type {string} */ folder) {
  const home = path.resolve(HOME, '../packages', name);
  if (!fs.existsSync(path.join(home, 'lib/express.js'))) throw new Error('not built yet: npm run build');
  fs.mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], home));
  return path.join(folder, filename);
}
