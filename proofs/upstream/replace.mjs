/** Puts our packages in the place of Express and its middleware in a project that has been checked out and installed. */
import fs from 'node:fs';
import path from 'node:path';

/**
 * Replaces what a project tests.
 *
 * @param {string} folder of the project
 * @param {Record<string, string>} replaces what is replaced: the name of an installed package, with its major version
 * (`express@4`), or `.` for the project itself
 * @param {(home: string) => string} locate returns where one of our packages is installed
 */
export function replace(folder, replaces, locate) {
  for (const [target, replacement] of Object.entries(replaces)) {
    const [home = '', member] = replacement.split('#');
    const count =
      target === '.'
        ? replaceItself(folder, locate(home), member)
        : replaceInstalled(folder, target, locate(home));
    if (count === 0) throw new Error(`${folder} contains no ${target} to replace`);
  }
}

/**
 * Removes the project's own code, and writes a file that loads ours for each file of our package: our dependencies may
 * have other versions than those of the project.
 */
function replaceItself(
  /** @type {string} */ folder,
  /** @type {string} */ ours,
  /** @type {string | undefined} */ member,
) {
  const { main = 'index.js' } = readManifest(folder);
  const { main: ourMain = 'index.js' } = readManifest(ours);
  fs.rmSync(path.join(folder, 'lib'), { recursive: true, force: true });
  const files = fs.existsSync(path.join(ours, 'lib'))
    ? fs.readdirSync(path.join(ours, 'lib'), { recursive: true, encoding: 'utf8' })
    : [];
  const modules = files.filter(file => file.endsWith('.js')).map(file => path.join('lib', file));
  const entry = path.extname(main) === '' ? path.join(main, 'index.js') : main;
  const loads = { ...Object.fromEntries(modules.map(file => [file, file])), [entry]: ourMain };
  for (const [file, from] of Object.entries(loads)) {
    const place = path.join(folder, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(
      place,
      `module.exports = require(${JSON.stringify(path.join(ours, from))})${file === entry && member ? `.${member}` : ''};\n`,
    );
  }
  return Object.keys(loads).length;
}

/** Replaces every installed copy of a package, at any depth; returns their number. */
function replaceInstalled(
  /** @type {string} */ folder,
  /** @type {string} */ target,
  /** @type {string} */ ours,
) {
  const [, name = target, major] = /^(.+)@(\d+)$/.exec(target) ?? [];
  const copies = installed(folder, name).filter(
    place => major === undefined || readManifest(place).version.split('.')[0] === major,
  );
  for (const place of copies) {
    fs.rmSync(place, { recursive: true });
    fs.cpSync(ours, place, { recursive: true });
  }
  return copies.length;
}

/** Returns the directories in which a package is installed. @returns {string[]} */
function installed(/** @type {string} */ folder, /** @type {string} */ name) {
  const modules = fs.readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' });
  return modules
    .filter(entry => entry.isDirectory() && entry.name === path.posix.basename(name))
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(place => place.split(path.sep).join('/').endsWith(`node_modules/${name}`))
    .filter(place => fs.existsSync(path.join(place, 'package.json')));
}

/** @returns {{ main?: string, version: string }} */
function readManifest(/** @type {string} */ folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
}
