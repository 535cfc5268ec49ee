/**
 * Where the project lives, in every package.json: `repository.url` of the root manifest is the one place that says it.
 *
 *     node scripts/manifests.mjs            writes the derived fields of the root and of each package
 *     node scripts/manifests.mjs --check    fails when one differs, or a text of the repository links to another place
 */
import fs from 'node:fs';
import path from 'node:path';
import { root } from './test-files.mjs';

/** @typedef {Record<string, any>} Manifest */

const manifestOf = (/** @type {string} */ home) => path.join(root, home, 'package.json');
/** @returns {Manifest} */
const read = (/** @type {string} */ home) => JSON.parse(fs.readFileSync(manifestOf(home), 'utf8'));

/** The address of the repository as browsers open it. */
const address = read('').repository.url.replace(/^git\+|\.git$/g, '');

/** The fields that say where the project lives and whose it is. @returns {Manifest} */
function derivedFields(/** @type {string} */ home) {
  const { repository, author, license, engines } = read('');
  return {
    author,
    license,
    homepage: `${address}#readme`,
    repository: { type: repository.type, url: repository.url, ...(home && { directory: home }) },
    bugs: { url: `${address}/issues` },
    engines,
    ...(home && { publishConfig: { access: 'public', provenance: true } }),
  };
}

/** What else every published package says. */
function missing(/** @type {string} */ home) {
  const manifest = read(home);
  return ['description', 'keywords', 'files'].filter(name => !manifest[name]?.length);
}

/** Links in the texts of the repository that lead to a project of this name elsewhere. */
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
function main(/** @type {string[]} */ args) {
  const isCheck = args.includes('--check');
  /** @type {string[]} */
  const problems = isCheck ? strayLinks().map(found => `${found} is not ${address}`) : [];
  const packages = fs.readdirSync(path.join(root, 'packages')).map(name => `packages/${name}`);
  for (const home of ['', ...packages]) {
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

process.exitCode = main(process.argv.slice(2));
