/** Lists the packages of this repository. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

/** The directory of the middleware packages. */
const MIDDLEWARE = 'packages/middleware';

/** The directory of the package that the versions of the API depend on. */
const ENGINE = 'packages/engine';

/** Returns the directory of every package, relative to the repository and with slashes, none before what it depends on. */
function packageHomes() {
  const found = ['packages', MIDDLEWARE].flatMap(parent =>
    fs.existsSync(path.join(root, parent))
      ? fs.readdirSync(path.join(root, parent)).map(name => `${parent}/${name}`)
      : [],
  );
  return found
    .filter(home => fs.existsSync(path.join(root, home, 'package.json')))
    .sort((a, b) => Number(b === ENGINE) - Number(a === ENGINE));
}

module.exports = { root, MIDDLEWARE, ENGINE, packageHomes };
