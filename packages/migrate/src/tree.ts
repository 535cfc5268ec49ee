/** Finds the installed copies of Express, and the packages that depend on Express. */
import fs from 'node:fs';
import path from 'node:path';
import { readInstalled } from './manifest';
import { readLockFile } from './lock-files';
import type { Copy, Entry } from './lock-files';
import { relative } from './paths';
import type { Project } from './project';

/** A package that lists Express among its dependencies. */
export interface Dependent {
  name: string;
  /** The range it depends on, or the version that a lock file resolved it to. */
  range: string;
}

export interface Tree {
  /** `node_modules` or the lock file, whichever was read; undefined if nothing is installed or locked. */
  source: string | undefined;
  copies: Copy[];
  dependents: Dependent[];
  /** The versions of every package, by name. */
  installed: Map<string, Set<string>>;
}

/**
 * Reads `node_modules`, or the lock file if nothing is installed; for pnpm the lock file, as it keeps unused packages
 * for days.
 */
export function readTree({ root, packages, manager, lockFile }: Project): Tree {
  const locked = () =>
    treeOf(lockFile, lockFile === undefined ? [] : readLockFile(path.join(root.folder, lockFile)));
  if (manager === 'pnpm' && lockFile !== undefined) return locked();
  const entries: Entry[] = [];
  const homes = new Set([root.folder, ...packages.map(({ folder }) => folder)]);
  for (const home of homes) walk(path.join(home, 'node_modules'), root.folder, entries);
  return entries.length > 0 ? treeOf('node_modules', entries) : locked();
}

function treeOf(source: string | undefined, entries: readonly Entry[]): Tree {
  const installed = new Map<string, Set<string>>();
  const dependents = new Map<string, Dependent>();
  for (const { name, version, express } of entries) {
    installed.set(name, (installed.get(name) ?? new Set()).add(version));
    if (express !== undefined) dependents.set(`${name} ${express}`, { name, range: express });
  }
  const copies = entries
    .filter(({ name }) => name === 'express' || name === 'ristretto')
    .map(({ name, version, place }) => ({ name, version, place }));
  return { source, copies, dependents: [...dependents.values()], installed };
}

/**
 * Visits all packages below a `node_modules` directory, without following links: their targets are in a store beside
 * them.
 */
function walk(modules: string, root: string, entries: Entry[]): void {
  for (const folder of packagesIn(modules)) {
    const manifest = readInstalled(folder);
    const { name, version, dependencies } = manifest ?? {};
    if (name !== undefined && version !== undefined) {
      const place = relative(root, folder);
      entries.push({ name, version, place, express: dependencies?.express });
    }
    walk(path.join(folder, 'node_modules'), root, entries);
  }
}

/** Returns the package directories in a `node_modules` directory; in pnpm's store, each package has its own. */
function packagesIn(modules: string): string[] {
  return foldersIn(modules).flatMap(name => {
    const folder = path.join(modules, name);
    if (name === '.pnpm')
      return foldersIn(folder).flatMap(inner => packagesIn(path.join(folder, inner, 'node_modules')));
    if (name.startsWith('.')) return [];
    return name.startsWith('@') ? foldersIn(folder).map(inner => path.join(folder, inner)) : [folder];
  });
}

function foldersIn(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  const entries = fs.readdirSync(folder, { withFileTypes: true });
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name);
}
