/**
 * Prepares and publishes releases. All packages are released together: each keeps its own major version, minor and
 * patch are the same.
 *
 *     npm run release -- minor             or patch: writes versions, changelog and lock file
 *                     --date=2027-01-31    the date in the changelog, today by default
 *     node scripts/release.mjs notes       prints the changelog of the newest version
 *     node scripts/release.mjs publish v4.51.0    publishes what npm does not have yet; the release workflow runs it
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npm } from './npm.mjs';
import { readOptions } from './options.cjs';
import { pack } from './pack.mjs';
import { packageHomes, root } from './packages.cjs';

/** @typedef {{ name: string, version: string, dependencies?: Record<string, string> }} Manifest */

const MAIN = 'ristretto';
const MAIN_HOME = 'packages/ristretto';
const UNRELEASED = '## Unreleased\n';
const at = (/** @type {string} */ file) => path.join(root, file);
const read = (/** @type {string} */ file) => fs.readFileSync(at(file), 'utf8');

/** @returns {Manifest} */
const manifestOf = (/** @type {string} */ home) => JSON.parse(read(`${home}/package.json`));

/** Returns the version after the given one. */
function nextVersion(/** @type {string} */ version, /** @type {string} */ step) {
  const [major, minor, patch] = version.split('.').map(Number);
  if (step === 'minor') return `${major}.${Number(minor) + 1}.0`;
  if (step === 'patch') return `${major}.${minor}.${Number(patch) + 1}`;
  throw new TypeError(`Expected minor or patch, got ${step}: the major version is that of Express`);
}

/** Returns the section of the changelog under a heading, without the heading. */
function section(/** @type {string} */ changelog, /** @type {string} */ heading) {
  const [, after = ''] = changelog.split(`${heading}`);
  return (after.split('\n## ')[0] ?? '').replace(/^.*\n/, '').trim();
}

/**
 * Sets the new versions in a manifest or its entry in the lock file: its own, and those of this repository's packages
 * among its dependencies, which are exact: no version works with another release of the engine.
 */
function setVersions(
  /** @type {Manifest} */ manifest,
  /** @type {Record<string, string>} */ versions,
  name = manifest.name,
) {
  manifest.version = versions[name] ?? manifest.version;
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    if (manifest.dependencies && versions[dependency])
      manifest.dependencies[dependency] = versions[dependency];
  }
}

const writeJson = (/** @type {string} */ file, /** @type {object} */ content) =>
  fs.writeFileSync(at(file), `${JSON.stringify(content, null, 2)}\n`);

/** Writes everything that a release changes, and prints the remaining steps. */
function prepare(/** @type {string} */ step, /** @type {string} */ date) {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) throw new TypeError(`Expected a date like 2027-01-31, got ${date}`);
  const changelog = read('CHANGELOG.md');
  if (!section(changelog, UNRELEASED.trim()))
    throw new Error('CHANGELOG.md has nothing under "## Unreleased"');
  const versions = Object.fromEntries(
    packageHomes()
      .map(manifestOf)
      .map(({ name, version }) => [name, nextVersion(version, step)]),
  );
  const lock = JSON.parse(read('package-lock.json'));
  for (const home of packageHomes()) {
    const manifest = manifestOf(home);
    setVersions(manifest, versions);
    writeJson(`${home}/package.json`, manifest);
    setVersions(lock.packages[home], versions, manifest.name);
  }
  writeJson('package-lock.json', lock);
  const heading = `## ${versions[MAIN]} (${date})\n`;
  fs.writeFileSync(at('CHANGELOG.md'), changelog.replace(UNRELEASED, `${UNRELEASED}\n${heading}`));
  const tag = `v${versions[MAIN]}`;
  console.log(
    `${Object.entries(versions)
      .map(pair => pair.join(' '))
      .join(', ')}. Read the changes, then:\n`,
  );
  console.log(
    `git commit -am "Release ${versions[MAIN]}"\ngit tag -a ${tag} -m ${tag}\ngit push origin main ${tag}`,
  );
}

/** Whether npm already has this version: an interrupted release continues where it stopped. */
function isPublished(/** @type {Manifest} */ { name, version }) {
  try {
    return npm(['view', `${name}@${version}`, 'version'], root).trim() === version;
  } catch (error) {
    if (String(error).includes('E404')) return false;
    throw error;
  }
}

/** Publishes every package. A prerelease (4.51.0-beta.1) would need its own dist-tag; there are none. */
function publish(/** @type {string} */ tag) {
  const { version } = manifestOf(MAIN_HOME);
  if (tag !== `v${version}`) throw new Error(`Expected the tag v${version} of ${MAIN_HOME}, got ${tag}`);
  // Where SECURITY.md asks for reports: nobody would read those of another repository.
  const { GITHUB_REPOSITORY: here } = process.env;
  const { repository } = JSON.parse(read('package.json'));
  if (here !== undefined && !repository.url.endsWith(`/${here}.git`))
    throw new Error(
      `repository.url is ${repository.url}, but this is ${here}: see CONTRIBUTING.md, "Releases"`,
    );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-release-'));
  for (const home of packageHomes()) {
    const manifest = manifestOf(home);
    if (isPublished(manifest)) {
      console.log(`${manifest.name} ${manifest.version} is published`);
    } else {
      const [packed] = pack([home], folder);
      console.log(npm(['publish', String(packed?.file), '--provenance', '--access', 'public'], root));
    }
  }
  fs.rmSync(folder, { recursive: true });
}

const { values, positionals } = readOptions({ date: { type: 'string' } }, { words: true });
const [command = '', tag = ''] = positionals;
if (command === 'publish') publish(tag);
else if (command === 'notes')
  console.log(section(read('CHANGELOG.md'), `## ${manifestOf(MAIN_HOME).version}`));
else prepare(command, values.date ?? new Date().toISOString().slice(0, 10));
