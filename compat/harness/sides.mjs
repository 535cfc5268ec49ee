/**
 * The two sides: copies of what is installed (hard links) with the scenario files beside it. On the side `ristretto`
 * every express 4 in the tree is the packed tarball with its production dependencies, as if npm had installed it with
 * `"overrides": { "express": "file:ristretto.tgz" }`.
 *
 * A side is made in a folder named by what it was made of, so runs at the same time don't disturb each other.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { GROUPS, HOME } from './catalog.mjs';
import { install, pack } from './npm.mjs';

const SIDES = path.join(HOME, '.sides');
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
 * Copies a tree by hard links. `replacement` takes the place of every installed Express 4.
 */
function linkTree(
  /** @type {string} */ from,
  /** @type {string} */ to,
  /** @type {string | undefined} */ replacement,
) {
  if (replacement && from.endsWith(path.join('node_modules', 'express'))) {
    if (frameworkVersion(from)?.startsWith('4.')) from = replacement;
  }
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target, replacement);
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
function linkInstalled(/** @type {string} */ folder, /** @type {string | undefined} */ replacement) {
  for (const base of ['', ...GROUPS]) {
    const modules = path.join(HOME, base, 'node_modules');
    if (fs.existsSync(modules)) {
      linkTree(modules, path.join(folder, base, 'node_modules'), replacement);
    }
  }
}

/** Makes a folder on a side have the scenario files of a group as they are now. */
function mirror(/** @type {string} */ from, /** @type {string} */ to) {
  fs.mkdirSync(to, { recursive: true });
  const entries = fs.readdirSync(from, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  const names = new Set(['node_modules', ...entries.map(({ name }) => name)]);
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
  for (const group of GROUPS) mirror(path.join(HOME, group), path.join(folder, group));
  return fs.realpathSync(folder);
}

/**
 * Makes both sides; returns their folders and the packed tarball.
 *
 * @returns {{ express: string, ristretto: string, tarball: string }}
 */
export function makeSides() {
  prune();
  const draft = pack(path.join(SIDES, `pack-${process.pid}`));
  const packed = digest(fs.readFileSync(draft));
  const packageFolder = once(`package-${packed}`, folder => {
    fs.copyFileSync(draft, path.join(folder, 'ristretto.tgz'));
    const manifest = { private: true, dependencies: { express: 'file:ristretto.tgz' } };
    fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    // Nested: the folder has its dependencies inside and can be put anywhere.
    install(folder, ['--install-strategy=nested']);
  });
  fs.rmSync(path.dirname(draft), { recursive: true });
  const tree = digest(fs.readFileSync(path.join(HOME, 'node_modules/.package-lock.json')));
  const express = once(`express-${tree}`, folder => linkInstalled(folder, undefined));
  const replacement = path.join(packageFolder, 'node_modules/express');
  const ristretto = once(`ristretto-${tree}-${packed}`, folder => linkInstalled(folder, replacement));
  return {
    express: copyScenarios(express),
    ristretto: copyScenarios(ristretto),
    tarball: path.join(packageFolder, 'ristretto.tgz'),
  };
}
