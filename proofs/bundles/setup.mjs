/** Prepares what bundling needs: the bundlers, and folders without packages. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const HOME = import.meta.dirname;
const APPLICATIONS = path.join(HOME, 'applications');

/** @typedef {{ name: string, home: string, parts: import('./requests.mjs').Parts }} Application */

/** Returns the application of a package, with the requests to send. @returns {Promise<Application>} */
export async function applicationOf(/** @type {string} */ name) {
  if (!fs.existsSync(path.join(HOME, `../../packages/${name}/lib/express.js`)))
    throw new Error(`packages/${name} is not built yet: npm run build`);
  const { parts } = await import(`./applications/${name}/requests.mjs`);
  return { name, home: path.join(APPLICATIONS, name), parts };
}

/** Creates an empty folder from which no package can be resolved. */
export function makeHome() {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-bundles-')));
  for (let folder = home; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const packages = path.join(folder, 'node_modules');
    if (fs.existsSync(packages))
      throw new Error(`Expected a temporary folder without packages above it, found ${packages}: set TMPDIR`);
  }
  return home;
}

/** Creates a folder for a program to run in, with the files that are not part of a bundle. */
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
