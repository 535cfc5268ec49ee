/** What has to be there before anything is bundled: the bundlers, and folders without packages. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { INSTALL_FLAGS, npm } from '../scripts/npm.mjs';

const HOME = import.meta.dirname;
const APPLICATIONS = path.join(HOME, 'applications');

/** @typedef {{ name: string, home: string, parts: import('./requests.mjs').Parts }} Application */

/** Installs what package.json names, unless it is there. */
export function install() {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(HOME, 'package.json'), 'utf8'));
  const isThere = Object.entries(dependencies).every(([name, version]) => {
    const file = path.join(HOME, 'node_modules', name, 'package.json');
    return fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8')).version === version;
  });
  if (!isThere) npm(['ci', ...INSTALL_FLAGS], HOME);
}

/** The application of a package, with what it is asked. @returns {Promise<Application>} */
export async function applicationOf(/** @type {string} */ name) {
  if (!fs.existsSync(path.join(HOME, `../packages/${name}/lib/express.js`)))
    throw new Error(`packages/${name} is not built yet: npm run build`);
  const { parts } = await import(`./applications/${name}/requests.mjs`);
  return { name, home: path.join(APPLICATIONS, name), parts };
}

/** Makes an empty folder from which no package is found. */
export function makeHome() {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-bundles-')));
  for (let folder = home; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(packages))
      throw new Error(`Expected a temporary folder without packages above it, found ${packages}: set TMPDIR`);
  }
  return home;
}

/** Makes a folder for a program to run in, with the files that are not part of a bundle. */
export function makeFolder(/** @type {string} */ home, /** @type {string} */ title) {
  const folder = path.join(home, title.replaceAll(/\W+/g, '-'));
  const copies = { views: 'views', public: 'public', beside: 'node_modules' };
  for (const [from, to] of Object.entries(copies))
    fs.cpSync(path.join(APPLICATIONS, 'files', from), path.join(folder, to), {
      recursive: true,
      preserveTimestamps: true,
    });
  return folder;
}
