/**
 * Creates the two sides for a major version of Express: copies of what is installed (hard links) with the scenario
 * files. On the side `ristretto`, every express 4 in the tree is the packed tarball with its production dependencies,
 * as if npm had installed it with `"overrides": { "express": "file:ristretto.tgz" }`. For Express 5, every express in
 * the tree is replaced on both sides, by Express 5 and by the packed ristretto5, so that programs written for Express 4
 * run on it too. With aliases, each original of our middleware packages is replaced too, on the side `ristretto`.
 *
 * The folder of a side is named by a hash of its contents, so concurrent runs do not disturb each other.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pack } from '../../../scripts/pack.mjs';
import { ALIASES, GROUPS, HOME } from './catalog.mjs';
import { dependencies, install } from './npm.mjs';

/** Without a dot: Express 5 sends no file if a name in its path begins with one. */
const SIDES = path.join(HOME, 'sides');
const UNUSED_AFTER = 60 * 60 * 1000;

/** Returns a short hash of the content. */
function digest(/** @type {(string | Buffer)[]} */ ...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}

/** @typedef {{ name: string, major: number | undefined, folder: string }} Replacement of one or of all versions */

/** Returns the folder of what replaces the package in a folder, if it is a package that is replaced. */
function replacementOf(/** @type {string} */ folder, /** @type {Replacement[]} */ replacements) {
  const file = path.join(folder, 'package.json');
  if (path.basename(path.dirname(folder)) !== 'node_modules' || !fs.existsSync(file)) return undefined;
  const { name, version } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const major = Number.parseInt(version, 10);
  return replacements.find(each => each.name === name && [undefined, major].includes(each.major))?.folder;
}

/** Copies a tree with hard links, and what replaces packages in their places. */
function linkTree(
  /** @type {string} */ from,
  /** @type {string} */ to,
  /** @type {Replacement[]} */ replacements,
) {
  const replacement = replacements.length > 0 ? replacementOf(from, replacements) : undefined;
  // A replacement depends on nothing that is replaced.
  if (replacement !== undefined) return linkTree(replacement, to, []);
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target, replacements);
    else fs.linkSync(source, target);
  }
}

/** Creates a folder once: under a temporary name, then renamed, so that no other process sees it half-filled. */
function once(/** @type {string} */ name, /** @type {(folder: string) => void} */ fill) {
  const folder = path.join(SIDES, name);
  if (!fs.existsSync(folder)) {
    fs.mkdirSync(SIDES, { recursive: true });
    const draft = fs.mkdtempSync(path.join(SIDES, 'draft-'));
    fill(draft);
    // Another run may have been faster; its folder has the same content.
    if (fs.existsSync(folder)) fs.rmSync(draft, { recursive: true });
    else fs.renameSync(draft, folder);
  }
  fs.utimesSync(folder, new Date(), new Date());
  return folder;
}

/** Removes folders that no run has used for an hour. */
function prune() {
  for (const name of fs.existsSync(SIDES) ? fs.readdirSync(SIDES) : []) {
    const folder = path.join(SIDES, name);
    if (Date.now() - fs.statSync(folder).mtimeMs > UNUSED_AFTER) {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Links all installed packages into a side. */
function linkInstalled(/** @type {string} */ folder, /** @type {Replacement[]} */ replacements) {
  for (const base of ['', ...GROUPS]) {
    const modules = path.join(HOME, base, 'node_modules');
    if (fs.existsSync(modules)) {
      linkTree(modules, path.join(folder, base, 'node_modules'), replacements);
    }
  }
}

/**
 * The folder of a side with a second copy of the programs of `frameworks/`, for scenarios of other groups that run them
 * with newer packages.
 */
const SHARED = 'frameworks';
const SHARING = ['express5', 'newest'];

/** Updates a folder on a side with the current scenario files of a group, except what was installed or is shared. */
function mirror(/** @type {string} */ from, /** @type {string} */ to, kept = ['node_modules']) {
  fs.mkdirSync(to, { recursive: true });
  const entries = fs.readdirSync(from, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  const names = new Set([...kept, ...entries.map(({ name }) => name)]);
  for (const name of fs.readdirSync(to)) {
    if (!names.has(name)) fs.rmSync(path.join(to, name), { recursive: true, force: true });
  }
  for (const entry of entries) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) mirror(source, target);
    else {
      if (!fs.existsSync(target) || !fs.readFileSync(target).equals(fs.readFileSync(source))) {
        fs.copyFileSync(source, target);
      }
      // Both sides need the same modification time, because headers of served files contain it.
      const { atime, mtime } = fs.statSync(source);
      fs.utimesSync(target, atime, mtime);
    }
  }
}

/** Copies the scenario files of all groups, and their shared files, to a side. */
export function copyScenarios(/** @type {string} */ folder) {
  for (const group of GROUPS) {
    mirror(path.join(HOME, group), path.join(folder, group), ['node_modules', SHARED]);
  }
  for (const group of SHARING) mirror(path.join(HOME, SHARED), path.join(folder, group, SHARED));
  return fs.realpathSync(folder);
}

/** Installs `express` into a folder, with its dependencies inside, so that it can be moved anywhere. */
function installNested(/** @type {string} */ folder, /** @type {object} */ manifest) {
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  install(folder, ['--install-strategy=nested']);
}

/** Packs and installs our middleware packages, each in a folder with its dependencies inside. */
function installMiddleware() {
  const homes = fs.readdirSync(path.join(HOME, '../../packages/middleware'), { withFileTypes: true });
  const names = homes
    .filter(home => home.isDirectory() && home.name !== 'test-support')
    .map(({ name }) => name);
  const drafts = path.join(SIDES, `pack-middleware-${process.pid}`);
  const files = pack(['packages/engine', ...names.map(name => `packages/middleware/${name}`)], drafts);
  const id = digest(...files.map(({ file }) => fs.readFileSync(file)));
  const folder = once(`middleware-${id}`, draft => {
    for (const { file } of files) fs.copyFileSync(file, path.join(draft, path.basename(file)));
    const places = files.map(({ name, file }) => [name, `file:${path.join(draft, path.basename(file))}`]);
    installNested(draft, {
      dependencies: Object.fromEntries(places.map(([name = '', file]) => [path.basename(name), file])),
      overrides: Object.fromEntries(places.filter(([name = '']) => !replaces(name))),
    });
  });
  fs.rmSync(drafts, { recursive: true });
  const replacements = ALIASES.map(({ name, alias, version }) => ({
    name,
    major: Number.parseInt(version, 10),
    folder: path.join(folder, 'node_modules', path.basename(alias)),
  }));
  return { id, replacements };
}

const replaces = (/** @type {string} */ name) => ALIASES.some(({ alias }) => alias === name);

/** Packs our replacement for a major version of Express, and installs it as `express`. */
function installPacked(/** @type {number} */ major) {
  const drafts = path.join(SIDES, `pack-${process.pid}`);
  const names = packagesFor(major);
  const packed = pack(
    names.map(name => `packages/${name}`),
    drafts,
  );
  const files = packed.map(({ file }, index) => ({ name: names[index], file }));
  const id = digest(...files.map(({ file }) => fs.readFileSync(file)));
  const folder = once(`package-${id}`, draft => {
    for (const { name, file } of files) fs.copyFileSync(file, path.join(draft, tarballOf(name)));
    installNested(draft, overrideFor(major, draft));
  });
  fs.rmSync(drafts, { recursive: true });
  return { id, folder };
}

/**
 * Returns the packages of this repository that replace a major version of Express, by their directories: the first one
 * is named `express`.
 */
function packagesFor(/** @type {number} */ major) {
  return [major === 5 ? 'ristretto5' : 'ristretto', 'engine', 'middleware/response-hooks'];
}

const tarballOf = (/** @type {string | undefined} */ directory) => `${path.basename(directory ?? '')}.tgz`;

/** Returns the manifest of a package of this repository. */
function manifestOf(/** @type {string} */ directory) {
  return JSON.parse(fs.readFileSync(path.join(HOME, '../../packages', directory, 'package.json'), 'utf8'));
}

/**
 * Returns the declarations of a project that replaces a major version of Express with Ristretto.
 *
 * @param {number} major
 * @param {string} folder the folder of the tarballs
 */
export function overrideFor(major, folder) {
  const [name, ...others] = packagesFor(major);
  const file = (/** @type {string | undefined} */ each) => `file:${path.join(folder, tarballOf(each))}`;
  return {
    dependencies: { express: file(name) },
    overrides: {
      express: '$express',
      ...Object.fromEntries(others.map(each => [manifestOf(each).name, file(each)])),
    },
  };
}

/**
 * Creates both sides for a major version of Express, and a third one with our middleware if it is needed.
 *
 * @typedef {{ express: string, ristretto: string, aliases: string, packages: string }} Sides their folders, and that of
 * the tarballs
 * @returns {Sides}
 */
export function makeSides(/** @type {number} */ major, /** @type {boolean} */ hasAliases) {
  prune();
  const { id, folder: packages } = installPacked(major);
  const tree = digest(fs.readFileSync(path.join(HOME, 'node_modules/.package-lock.json')));
  const side = (/** @type {string} */ name, /** @type {Replacement[]} */ replacements) =>
    copyScenarios(once(name, folder => linkInstalled(folder, replacements)));
  const inside = (/** @type {string} */ home) => ({
    name: 'express',
    major: major === 5 ? undefined : major,
    folder: path.join(home, 'node_modules/express'),
  });
  const middleware = hasAliases ? installMiddleware() : undefined;
  return {
    express: side(`express${major}-${tree}`, major === 5 ? [inside(expressItself())] : []),
    ristretto: side(`ristretto${major}-${tree}-${id}`, [inside(packages)]),
    aliases: middleware
      ? side(`aliases${major}-${tree}-${id}-${middleware.id}`, [inside(packages), ...middleware.replacements])
      : '',
    packages,
  };
}

/** Installs Express 5 itself: it replaces every Express in the tree, whatever version a package depends on. */
function expressItself() {
  const version = String(dependencies('express5').express);
  return once(`package-express-${version}`, folder =>
    installNested(folder, { dependencies: { express: version } }),
  );
}
