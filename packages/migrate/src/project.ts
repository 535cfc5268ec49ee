/** Finds the parts of an application: its manifests, its workspace, and its package manager. */
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error';
import { readManifest } from './manifest';
import { relative } from './paths';
import type { Manifest, ManifestFile } from './manifest';

export type ManagerName = 'npm' | 'pnpm' | 'yarn';

export interface Project {
  /** The directory passed to the command. */
  home: string;
  /** Where the lock file and the overrides belong: the root of the workspace, or `home`. */
  root: ManifestFile;
  /** The manifests to migrate: all packages of the workspace, or the one in `home`. */
  packages: ManifestFile[];
  manager: ManagerName;
  /** The major version of the package manager, if the project shows it. */
  major: number | undefined;
  /** The lock file, if there is one. */
  lockFile: string | undefined;
}

const LOCK_FILES: readonly (readonly [string, ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
/** How many levels below the root of a workspace its packages are searched for. */
const DEEPEST = 6;

/**
 * Reads the manifests of the application in a directory. The root of a workspace includes all its packages.
 * @throws CommandError if there is no manifest, or the package manager is not supported
 */
export function readProject(folder: string): Project {
  const home = path.resolve(folder);
  const own = readManifest(home);
  const root = rootOf(own);
  const packages = root === own ? [own, ...members(own).map(readManifest)] : [own];
  return { home, root, packages, ...managerOf(root) };
}

/** Returns the manifest of the workspace that a package belongs to, or its own. */
function rootOf(own: ManifestFile): ManifestFile {
  let folder = path.dirname(own.folder);
  for (let last = own.folder; folder !== last; last = folder, folder = path.dirname(folder)) {
    if (!fs.existsSync(path.join(folder, 'package.json'))) continue;
    const root = readManifest(folder);
    if (isMember(patterns(root), relative(folder, own.folder))) return root;
  }
  return own;
}

/** Returns the directories of a workspace's packages. */
function members(root: ManifestFile): string[] {
  const globs = patterns(root);
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const inner = path.join(folder, entry.name);
      const isPackage = fs.existsSync(path.join(inner, 'package.json'));
      if (isPackage && isMember(globs, relative(root.folder, inner))) found.push(inner);
      if (depth < DEEPEST) visit(inner, depth + 1);
    }
  };
  if (globs.length > 0) visit(root.folder, 1);
  return found;
}

/** Returns the patterns of a workspace's packages, in the format of npm and yarn or of pnpm. */
function patterns({ folder, data }: ManifestFile): string[] {
  const { workspaces = [] } = data;
  const listed = Array.isArray(workspaces) ? workspaces : (workspaces.packages ?? []);
  const [, items = ''] =
    /^packages:\s*\n((?:[ \t]*(?:-.*|#.*)?\n)*)/m.exec(`${workspaceFile(folder)}\n`) ?? [];
  const ofPnpm = [...items.matchAll(/^[ \t]*-[ \t]*['"]?([^'"#\s]+)/gm)].map(([, pattern]) => pattern!);
  return [...listed, ...ofPnpm];
}

function workspaceFile(folder: string): string {
  const file = path.join(folder, 'pnpm-workspace.yaml');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';
}

function isMember(globs: readonly string[], name: string): boolean {
  const isMatched = (glob: string) => expression(glob).test(name);
  return (
    globs.some(glob => !glob.startsWith('!') && isMatched(glob)) &&
    !globs.some(glob => glob.startsWith('!') && isMatched(glob.slice(1)))
  );
}

function expression(glob: string): RegExp {
  const source = glob
    .replace(/^\.\//, '')
    .replace(/\/$/, '')
    .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replace(/\*\*\/?|\*/g, star => (star === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${source}$`);
}

type Manager = Pick<Project, 'manager' | 'major' | 'lockFile'>;

function managerOf({ folder, data }: ManifestFile): Manager {
  const has = (name: string) => fs.existsSync(path.join(folder, name));
  const locks = LOCK_FILES.filter(([name]) => has(name));
  const [, named, version] = /^(\w+)@(\d+)/.exec(data.packageManager ?? '') ?? [];
  const isBun =
    named === 'bun' || (named === undefined && locks.length === 0 && (has('bun.lock') || has('bun.lockb')));
  if (isBun) throw new CommandError(`bun is not supported. Edit package.json by hand:\n\n${BY_HAND}`);
  const fallback = has('pnpm-workspace.yaml') ? 'pnpm' : 'npm';
  const manager = (named as ManagerName | undefined) ?? locks[0]?.[1] ?? fallback;
  const lockFile = locks.find(([, name]) => name === manager)?.[0];
  const major = version === undefined ? majorOf(manager, folder, data) : Number(version);
  return { manager, major, lockFile };
}

const BY_HAND =
  '  "dependencies": { "express": "npm:ristretto@4" }, "overrides": { "express": "npm:ristretto@4" }';

/** Returns the major version of a package manager, derived from the files it has written. */
function majorOf(manager: ManagerName, folder: string, { pnpm }: Manifest): number | undefined {
  const read = (name: string) => {
    const file = path.join(folder, name);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  };
  if (manager === 'yarn') return /^__metadata:/m.test(read('yarn.lock')) || read('.yarnrc.yml') ? 4 : 1;
  if (manager === 'npm') return undefined;
  const [, installed] = /packageManager"?: *"?pnpm@(\d+)/.exec(read('node_modules/.modules.yaml')) ?? [];
  if (installed !== undefined) return Number(installed);
  // Newer versions neither read this member nor write this format.
  return pnpm !== undefined || /^lockfileVersion: '?[5-8]/m.test(read('pnpm-lock.yaml')) ? 8 : undefined;
}
