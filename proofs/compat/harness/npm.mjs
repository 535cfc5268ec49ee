/** Calls npm to install missing packages. */
import fs from 'node:fs';
import path from 'node:path';
import { INSTALL_FLAGS, npm } from '../../../scripts/npm.mjs';
import { HOME } from './catalog.mjs';

/** Installs the dependencies of a package.json in its own folder. */
export function install(/** @type {string} */ folder, /** @type {string[]} */ flags = []) {
  npm(['install', ...INSTALL_FLAGS, ...flags], folder);
}

/** Returns the dependencies of a group, by folder name. @returns {Record<string, string>} */
export function dependencies(/** @type {string} */ group) {
  const manifest = JSON.parse(fs.readFileSync(path.join(HOME, group, 'package.json'), 'utf8'));
  return { ...manifest.dependencies };
}

/** Returns the package.json that a name resolves to for a group; undefined if it is not installed. */
export function installed(/** @type {string} */ group, /** @type {string} */ name) {
  for (const base of [path.join(HOME, group), HOME]) {
    const file = path.join(base, 'node_modules', name, 'package.json');
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'));
  }
  return undefined;
}

/** Checks whether every dependency of a group is installed in the exact version of its package.json. */
function complete(/** @type {string} */ group) {
  return Object.entries(dependencies(group)).every(([name, wanted]) => {
    const found = installed(group, name);
    return found !== undefined && (wanted === found.version || wanted.endsWith(`@${found.version}`));
  });
}

/** Installs the given groups, unless they are installed. */
export function installGroups(/** @type {string[]} */ groups) {
  if (groups.every(complete)) return false;
  const chosen = groups.flatMap(group => ['-w', group]);
  npm(['install', ...INSTALL_FLAGS, ...chosen], HOME);
  const bad = groups.filter(group => !complete(group));
  if (bad.length > 0)
    throw new Error(`npm left dependencies of ${bad.join(', ')} out: are the versions exact?`);
  return true;
}
