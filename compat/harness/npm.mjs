/**
 * Calls of npm: what is missing is installed, the package is packed. A failure says what npm said, so that a registry
 * that can't be reached is not mistaken for anything else.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HOME } from './catalog.mjs';

const INSTALL_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Runs npm in a folder; throws with its output when it fails. */
export function npm(/** @type {string[]} */ args, /** @type {string} */ folder) {
  // What the outer npm says about its own run is not for this one; what users set (a registry, a cache) is.
  const outer = /^npm_(?!config_)|^npm_config_(?:local_prefix|workspace)/i;
  const environment = Object.entries(process.env).filter(([name]) => !outer.test(name));
  const result = spawnSync('npm', args, {
    cwd: folder,
    env: Object.fromEntries(environment),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (result.status === 0) return result.stdout;
  const unreachable = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ECONNRESET|ENOTCACHED/.test(result.stderr);
  const hint = unreachable ? 'the npm registry can not be reached: ' : '';
  throw new Error(
    `${hint}npm ${args.join(' ')} failed\n${result.error ?? ''}${result.stderr}${result.stdout}`,
  );
}

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

/** Packs packages/ristretto; returns the path of the tarball. */
export function pack(/** @type {string} */ folder) {
  const home = path.resolve(HOME, '../packages/ristretto');
  if (!fs.existsSync(path.join(home, 'lib/express.js'))) throw new Error('not built yet: npm run build');
  fs.mkdirSync(folder, { recursive: true });
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], home));
  return path.join(folder, filename);
}
