/**
 * Generates the software bill of materials of each package: everything that an installation includes, with version,
 * licence and checksum, in the CycloneDX 1.5 format. It is derived only from package-lock.json, so the same lock file
 * gives the same bytes.
 *
 *     node scripts/sbom.mjs <folder>    writes <package>.cdx.json; fails if an installed package runs a script
 *
 * The release workflow attaches the files to the release.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readOptions } from './options.cjs';
import { packageHomes, publishedManifest, root } from './packages.cjs';

/**
 * @typedef {object} Locked
 * @property {string} [name]
 * @property {string} [version]
 * @property {string} [license]
 * @property {string} [resolved]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [hasInstallScript]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @type {Record<string, Locked>} */
const locked = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
for (const home of packageHomes())
  Object.assign(locked[home] ?? {}, { license: publishedManifest(home).license });

/** Returns where a package finds another: in its own directory, or in one of those above it. */
function locate(/** @type {string} */ from, /** @type {string} */ name) {
  for (let at = from; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
    const place = `${at && `${at}/`}node_modules/${name}`;
    const found = locked[place];
    if (found) return found.link ? /** @type {string} */ (found.resolved) : place;
    if (at === '') return undefined;
  }
}

/** Returns every path that an installation of the package includes, each with the paths that it depends on. */
function treeOf(/** @type {string} */ home) {
  /** @type {Map<string, string[]>} */
  const tree = new Map();
  const visit = (/** @type {string} */ place) => {
    if (tree.has(place)) return;
    const { dependencies = {}, optionalDependencies = {} } = locked[place] ?? {};
    const needed = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
      name => locate(place, name) ?? [],
    );
    tree.set(place, needed);
    needed.forEach(visit);
  };
  visit(home);
  return tree;
}

/** The identifier of a package: https://github.com/package-url/purl-spec */
function identify(/** @type {string} */ place) {
  const { name = place.replace(/^.*node_modules\/|^packages\/(?:middleware\/)?/, ''), version } =
    locked[place] ?? {};
  return { name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

function component(/** @type {string} */ place) {
  const { license, integrity } = locked[place] ?? {};
  const { name, version, purl } = identify(place);
  const [algorithm = '', checksum = ''] = integrity?.split('-') ?? [];
  const isExpression = license !== undefined && /[ (]/.test(license);
  return {
    ...{ type: 'library', 'bom-ref': purl, name, version, purl },
    ...(license && { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }),
    ...(checksum && {
      hashes: [
        { alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(checksum, 'base64').toString('hex') },
      ],
    }),
  };
}

/**
 * Returns one item for each key, sorted by key: a package that is installed in two places appears once.
 * @template T
 * @param {T[]} list
 * @param {(each: T) => string} key
 */
function onceEach(list, key) {
  return [...new Map(list.map(each => [key(each), each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

function bill(/** @type {string} */ home) {
  const tree = treeOf(home);
  const brought = [...tree.keys()].filter(place => place !== home).map(component);
  const dependencies = [...tree].map(([place, needed]) => ({
    ref: identify(place).purl,
    dependsOn: [...new Set(needed.map(each => identify(each).purl))].sort(),
  }));
  return {
    ...{
      $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
    },
    version: 1,
    metadata: { component: component(home) },
    components: onceEach(brought, each => each.purl),
    dependencies: onceEach(dependencies, each => each.ref),
  };
}

/** Returns the exit code. */
function main(/** @type {string} */ folder) {
  let code = 0;
  const complain = (/** @type {string} */ problem) => {
    console.error(problem);
    code = 1;
  };
  fs.mkdirSync(folder, { recursive: true });
  for (const home of packageHomes()) {
    const name = path.basename(home);
    const { scripts = {} } = JSON.parse(fs.readFileSync(path.join(root, home, 'package.json'), 'utf8'));
    for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
      if (script in scripts) complain(`${name} has a script '${script}'`);
    }
    for (const place of treeOf(home).keys()) {
      if (locked[place]?.hasInstallScript)
        complain(`${name} depends on ${place}, which runs a script when it is installed`);
      if (place.includes('node_modules/') && !locked[place]?.integrity) complain(`${place} has no checksum`);
    }
    fs.writeFileSync(path.join(folder, `${name}.cdx.json`), `${JSON.stringify(bill(home), null, 2)}\n`);
  }
  return code;
}

const [folder] = readOptions({}, { words: true }).positionals;
if (folder === undefined) throw new Error('Expected a folder: node scripts/sbom.mjs <folder>');
process.exitCode = main(folder);
