/** Lists the packages of this repository. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

/** The directory of the middleware packages. */
const MIDDLEWARE = 'packages/middleware';

/** The directory of the package that the versions of the API depend on. */
const ENGINE = 'packages/engine';

/** The directories of the versions of the API. */
const VERSIONS = ['packages/ristretto', 'packages/ristretto3', 'packages/ristretto5'];

/**
 * Returns the directory of every package, or of the named ones and of what they depend on, relative to the repository and
 * with slashes, none before what it depends on.
 */
function packageHomes(/** @type {string[]} */ ...names) {
  /** @type {Map<string, { home: string, needs: string[] }>} */
  const found = new Map();
  for (const parent of ['packages', MIDDLEWARE].filter(each => fs.existsSync(path.join(root, each)))) {
    for (const directory of fs.readdirSync(path.join(root, parent))) {
      const home = `${parent}/${directory}`;
      const file = path.join(root, home, 'package.json');
      if (!fs.existsSync(file)) continue;
      const { name, dependencies = {} } = JSON.parse(fs.readFileSync(file, 'utf8'));
      found.set(name, { home, needs: Object.keys(dependencies) });
    }
  }
  /** @type {Set<string>} */
  const homes = new Set();
  const add = (/** @type {string} */ name) => {
    const { home, needs } = found.get(name) ?? { home: '', needs: [] };
    if (home === '' || homes.has(home)) return;
    needs.forEach(add);
    homes.add(home);
  };
  (names.length > 0 ? names : [...found.keys()]).forEach(add);
  return [...homes];
}

/** Returns the manifest of a package as it is published: with the fields that it shares with all others. */
function publishedManifest(/** @type {string} */ home) {
  const read = (/** @type {string} */ folder) =>
    JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
  const { author, license, homepage, repository, bugs, engines } = read('');
  return {
    ...read(home),
    ...{ author, license, homepage, repository: { ...repository, directory: home }, bugs, engines },
    publishConfig: { access: 'public', provenance: true },
  };
}

module.exports = { root, MIDDLEWARE, ENGINE, VERSIONS, packageHomes, publishedManifest };
