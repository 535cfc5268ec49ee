/**
 * Checks out the source of a project at a fixed commit.
 *
 * A version is a tag, which its owner can move, so the commit that it stands for is recorded in `commits.json` when it is
 * first fetched from the project's own repository, and later runs fetch that commit. `UPSTREAM_MIRROR` names a directory
 * of clones for machines without a network; what it contains is not recorded. A project without a repository is one whose
 * package contains its tests: npm never changes a published version.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from '../../scripts/npm.mjs';

/** Runs git in a folder, and returns its output. */
function git(/** @type {string} */ folder, /** @type {string[]} */ ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed\n${stderr}`);
  return stdout.trim();
}

/** The forms in which projects write the tag of a version. */
function tagsOf(/** @type {string} */ name, /** @type {string} */ version) {
  return [version, `v${version}`, `${name}@${version}`];
}

/** Returns the tag of a version in a repository, if it has one. */
function findTag(/** @type {string} */ source, /** @type {string} */ name, /** @type {string} */ version) {
  const tags = git('.', 'ls-remote', '--tags', source).split('\n');
  return tagsOf(name, version).find(form => tags.some(line => line.endsWith(`\trefs/tags/${form}`)));
}

/** Returns the directory in the mirror for a repository, if there is one. */
function mirrored(/** @type {string | undefined} */ mirror, /** @type {string} */ repository) {
  if (mirror === undefined) return undefined;
  const folder = path.join(mirror, path.posix.basename(repository, '.git'));
  return fs.existsSync(folder) ? folder : undefined;
}

/** Checks whether a version can be fetched: always from npm and with a network, otherwise if the mirror has it. */
export function isAvailable(
  /** @type {import('./catalog.mjs').Project} */ { name, repository },
  /** @type {string} */ version,
  /** @type {string | undefined} */ mirror,
) {
  if (repository === undefined) return true;
  const local = mirrored(mirror, repository);
  return local === undefined ? mirror === undefined : findTag(local, name, version) !== undefined;
}

/** Unpacks a package from npm into an empty folder. */
function unpack(/** @type {string} */ spec, /** @type {string} */ folder) {
  const packed = JSON.parse(npm(['pack', spec, '--json', '--pack-destination', folder], folder));
  const [{ filename }] = /** @type {{ filename: string }[]} */ (Object.values(packed));
  const { status, stderr } = spawnSync('tar', ['-xzf', filename, '--strip-components=1'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${filename} cannot be unpacked\n${stderr}`);
  fs.rmSync(path.join(folder, filename));
}

/**
 * Checks out a version of a project into an empty folder.
 *
 * @param {import('./catalog.mjs').Project} project
 * @param {string} version
 * @param {string} folder
 * @param {{ mirror: string | undefined, lockFile: string }} from
 * @returns {string | undefined} the commit; undefined for a mirror and for a package
 */
export function checkOut({ name, repository }, version, folder, { mirror, lockFile }) {
  if (repository === undefined) {
    unpack(`${name}@${version}`, folder);
    return undefined;
  }
  const local = mirrored(mirror, repository);
  const source = local === undefined ? repository : pathToFileURL(local).href;
  const locked = JSON.parse(fs.readFileSync(lockFile, 'utf8'));
  const key = `${repository}#${version}`;
  git(folder, 'init', '--quiet');
  const known = local === undefined ? locked[key] : undefined;
  const tag = known === undefined ? findTag(source, name, version) : undefined;
  if (known === undefined && tag === undefined)
    throw new Error(`${repository} has no tag ${tagsOf(name, version).join(' or ')}`);
  git(folder, 'fetch', '--quiet', '--depth', '1', source, known ?? `refs/tags/${tag}`);
  git(folder, 'checkout', '--quiet', 'FETCH_HEAD');
  if (local !== undefined) return undefined;
  const commit = git(folder, 'rev-parse', 'HEAD');
  if (known === undefined) {
    const commits = Object.entries({ ...locked, [key]: commit }).sort(([a], [b]) => (a < b ? -1 : 1));
    fs.writeFileSync(lockFile, `${JSON.stringify(Object.fromEntries(commits), null, 2)}\n`);
  }
  return commit;
}
