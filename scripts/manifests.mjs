/**
 * Writes values that are defined elsewhere into every package.json: the project's address, from `repository.url` of the
 * root manifest, and the exact versions of this repository's packages among the dependencies.
 *
 *     node scripts/manifests.mjs            writes the derived fields of the root and of each package
 *     node scripts/manifests.mjs --check    fails if one differs, or a text in the repository links to another address
 */
import fs from 'node:fs';
import path from 'node:path';
import { readOptions } from './options.cjs';
import { packageHomes, root } from './packages.cjs';

/** @typedef {Record<string, any>} Manifest */

const manifestOf = (/** @type {string} */ home) => path.join(root, home, 'package.json');
/** @returns {Manifest} */
const read = (/** @type {string} */ home) => JSON.parse(fs.readFileSync(manifestOf(home), 'utf8'));

/** The address of the repository for browsers. */
const address = read('').repository.url.replace(/^git\+|\.git$/g, '');

/** Returns the dependencies, with this repository's packages pinned. @returns {Manifest} */
function pinned(/** @type {Record<string, string>} */ dependencies) {
  const own = packageHomes().map(read);
  const used = own.filter(({ name }) => name in dependencies);
  return { ...dependencies, ...Object.fromEntries(used.map(({ name, version }) => [name, version])) };
}

/** Returns the fields about the project's address and authors, and the dependencies. @returns {Manifest} */
function derivedFields(/** @type {string} */ home) {
  const { repository, author, license, engines } = read('');
  const { dependencies } = read(home);
  return {
    author,
    license,
    homepage: `${address}#readme`,
    repository: { type: repository.type, url: repository.url, ...(home && { directory: home }) },
    bugs: { url: `${address}/issues` },
    engines,
    ...(home && { publishConfig: { access: 'public', provenance: true } }),
    ...(home && dependencies && { dependencies: pinned(dependencies) }),
  };
}

/** Returns the other fields that a published package requires and this one lacks. */
function missing(/** @type {string} */ home) {
  const manifest = read(home);
  return ['description', 'keywords', 'files'].filter(name => !manifest[name]?.length);
}

/** Returns links in the repository's texts to a project of the same name elsewhere. */
function strayLinks() {
  const [owner, name] = address.split('/').slice(-2);
  const link = new RegExp(`github\\.com/(?!${owner}/)[\\w.-]+/${name}\\b[^\\s)"'\`>]*`, 'g');
  const texts = fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.(?:md|ya?ml|json)$/.test(entry.name));
  return texts
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter(file => !/(?:^|[\\/])(?:node_modules|\.git|\.nodes|\.sides|coverage)[\\/]/.test(file))
    .flatMap(file =>
      (fs.readFileSync(path.join(root, file), 'utf8').match(link) ?? []).map(found => `${file}: ${found}`),
    );
}

/** Returns the exit code. */
function main() {
  const isCheck = readOptions({ check: { type: 'boolean' } }).values.check;
  /** @type {string[]} */
  const problems = isCheck ? strayLinks().map(found => `${found} is not ${address}`) : [];
  for (const home of ['', ...packageHomes()]) {
    const manifest = read(home);
    const derived = derivedFields(home);
    const wrong = Object.keys(derived).filter(
      name => JSON.stringify(manifest[name]) !== JSON.stringify(derived[name]),
    );
    if (isCheck)
      problems.push(...wrong.map(name => `${home || '.'}: ${name} differs: node scripts/manifests.mjs`));
    else if (wrong.length > 0) {
      fs.writeFileSync(manifestOf(home), `${JSON.stringify({ ...manifest, ...derived }, null, 2)}\n`);
    }
    if (home) problems.push(...missing(home).map(name => `${home}: ${name} is missing`));
  }
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

process.exitCode = main();
