/**
 * The two sides of a major of Express: copies of what is installed (hard links) with the scenario files beside it. On the side
 * `ristretto` every express 4 in the tree is the packed tarball with its production dependencies, as if npm had installed it
 * with `"overrides": { "express": "file:ristretto.tgz" }`. For Express 5 every express of the tree is replaced on both sides, by
 * Express 5 and by the packed ristretto5, so that programs written for Express 4 run on it too.
 *
 * A side is made in a folder named by what it was made of, so runs at the same time don't disturb each other.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { GROUPS, HOME } from './catalog.mjs';
import { dependencies, install, pack } from './npm.mjs';

/** Without a dot: Express 5 sends no file whose path has a name that begins with one. */
const SIDES = path.join(HOME, 'sides');
const UNUSED_AFTER = 60 * 60 * 1000;

/** A short name for content. */
function digest(/** @type {(string | Buffer)[]} */ ...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 12);
}

/** The version of the framework in a folder, if there is one. */
function frameworkVersion(/** @type {string} */ folder) {
  const file = path.join(folder, 'package.json');
  if (!fs.existsSync(file)) return undefined;
  const { name, version } = JSON.parse(fs.readFileSync(file, 'utf8'));
  return name === 'express' ? String(version) : undefined;
}

/**
 * Copies a tree by hard links. `replacement` takes the place of every installed Express with such a version.
 */
function linkTree(
  /** @type {string} */ from,
  /** @type {string} */ to,
  /** @type {string | undefined} */ replacement,
  /** @type {(version: string) => boolean} */ isReplaced,
) {
  if (replacement && from.endsWith(path.join('node_modules', 'express'))) {
    const version = frameworkVersion(from);
    if (version !== undefined && isReplaced(version)) from = replacement;
  }
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target, replacement, isReplaced);
    else fs.linkSync(source, target);
  }
}

/** Makes a folder once: in a temporary place, then renamed, so that nobody sees half of it. */
function once(/** @type {string} */ name, /** @type {(folder: string) => void} */ fill) {
  const folder = path.join(SIDES, name);
  if (!fs.existsSync(folder)) {
    fs.mkdirSync(SIDES, { recursive: true });
    const draft = fs.mkdtempSync(path.join(SIDES, 'draft-'));
    fill(draft);
    // Another run may have been faster: its folder has the same content.
    if (fs.existsSync(folder)) fs.rmSync(draft, { recursive: true });
    else fs.renameSync(draft, folder);
  }
  fs.utimesSync(folder, new Date(), new Date());
  return folder;
}

/** Removes what no run has used for an hour. */
function prune() {
  for (const name of fs.existsSync(SIDES) ? fs.readdirSync(SIDES) : []) {
    const folder = path.join(SIDES, name);
    if (Date.now() - fs.statSync(folder).mtimeMs > UNUSED_AFTER) {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Links everything that is installed into a side. */
function linkInstalled(
  /** @type {string} */ folder,
  /** @type {string | undefined} */ replacement,
  /** @type {(version: string) => boolean} */ isReplaced,
) {
  for (const base of ['', ...GROUPS]) {
    const modules = path.join(HOME, base, 'node_modules');
    if (fs.existsSync(modules)) {
      linkTree(modules, path.join(folder, base, 'node_modules'), replacement, isReplaced);
    }
  }
}

/** Where a side has the programs of `frameworks/` once more, for scenarios of `express5/` that run them with newer packages. */
const SHARED = 'frameworks';

/** Makes a folder on a side have the scenario files of a group as they are now, but for what was installed or is shared. */
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
      // The same time of change on both sides: it is in the fields of served files.
      const { atime, mtime } = fs.statSync(source);
      fs.utimesSync(target, atime, mtime);
    }
  }
}

/** Puts the scenario files of all groups, and what they share, on a side. */
export function copyScenarios(/** @type {string} */ folder) {
  for (const group of GROUPS) {
    mirror(path.join(HOME, group), path.join(folder, group), ['node_modules', SHARED]);
  }
  mirror(path.join(HOME, SHARED), path.join(folder, 'express5', SHARED));
  return fs.realpathSync(folder);
}

/** Installs `express` into a folder, with its dependencies inside, so that it can be put anywhere. */
function installNested(/** @type {string} */ folder, /** @type {object} */ manifest) {
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
  install(folder, ['--install-strategy=nested']);
}

/** Packs what stands in for a major of Express, and installs it as `express`. */
function installPacked(/** @type {number} */ major) {
  const drafts = path.join(SIDES, `pack-${process.pid}`);
  const files = packagesFor(major).map(name => ({ name, file: pack(name, drafts) }));
  const id = digest(...files.map(({ file }) => fs.readFileSync(file)));
  const folder = once(`package-${id}`, draft => {
    for (const { name, file } of files) fs.copyFileSync(file, path.join(draft, `${name}.tgz`));
    installNested(draft, overrideFor(major, draft));
  });
  fs.rmSync(drafts, { recursive: true });
  return { id, folder };
}

/** The packages of this repository that stand in for a major of Express: the first one is named `express`. */
function packagesFor(/** @type {number} */ major) {
  return major === 5 ? ['ristretto5', 'ristretto'] : ['ristretto'];
}

/**
 * What a project declares that has Ristretto in the place of a major of Express.
 *
 * @param {number} major
 * @param {string} folder where the tarballs are
 */
export function overrideFor(major, folder) {
  const [name, ...others] = packagesFor(major);
  const file = (/** @type {string | undefined} */ each) => `file:${path.join(folder, `${each}.tgz`)}`;
  return {
    dependencies: { express: file(name) },
    overrides: { express: '$express', ...Object.fromEntries(others.map(each => [each, file(each)])) },
  };
}

/**
 * Makes both sides of a major of Express.
 *
 * @typedef {{ express: string, ristretto: string, packages: string }} Sides their folders, and the one of the tarballs
 * @returns {Sides}
 */
export function makeSides(/** @type {number} */ major) {
  prune();
  const { id, folder: packages } = installPacked(major);
  const tree = digest(fs.readFileSync(path.join(HOME, 'node_modules/.package-lock.json')));
  const isReplaced = (/** @type {string} */ version) => major === 5 || version.startsWith('4.');
  const side = (/** @type {string} */ name, /** @type {string | undefined} */ home) => {
    const replacement = home && path.join(home, 'node_modules/express');
    return copyScenarios(once(name, folder => linkInstalled(folder, replacement, isReplaced)));
  };
  return {
    express: side(`express${major}-${tree}`, major === 5 ? expressItself() : undefined),
    ristretto: side(`ristretto${major}-${tree}-${id}`, packages),
    packages,
  };
}

/** Express 5 itself: it takes the place of every Express in what is installed, whatever version a package depends on. */
function expressItself() {
  const version = String(dependencies('express5').express);
  return once(`package-express-${version}`, folder =>
    installNested(folder, { dependencies: { express: version } }),
  );
}
