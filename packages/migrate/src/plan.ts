/** Decides what to change: which packages move to Ristretto, and which files to edit. */
import fs from 'node:fs';
import path from 'node:path';
import { readInstalled, SECTIONS } from './manifest';
import type { Manifest, ManifestFile } from './manifest';
import { override, unshared } from './overrides';
import type { Texts } from './overrides';
import { setMember } from './json-text';
import { relative } from './paths';
import type { Project } from './project';
import type { Tree } from './tree';
import { allows, majorOf } from './versions';

/** A package of the application that installs Express. */
export interface User {
  /** Its `package.json`, relative to the root. */
  file: string;
  section: (typeof SECTIONS)[number];
  /** The range in its `package.json`. */
  range: string;
  /** The installed version, if known. */
  version: string | undefined;
  /** The package of Ristretto, or the major version of Express; undefined if unknown. */
  uses: 'ristretto' | 'ristretto5' | number | undefined;
}

/** A file to be written. */
export interface Edit {
  /** Relative to the root, with slashes. */
  name: string;
  file: string;
  before: string;
  after: string;
}

export interface Plan {
  users: User[];
  /** Packages that use Ristretto through an override. */
  overridden: string[];
  edits: Edit[];
}

/** Returns the new version of `express`: an alias such as `npm:ristretto@^4.50.0`. @param version of this package */
export function specOf(uses: 4 | 5, version: string): string {
  return `npm:ristretto${uses === 5 ? '5' : ''}@^${version.replace(/^\d+/, String(uses))}`;
}

/**
 * Plans the migration of a project.
 * @param version the version of this package
 */
export function planOf(project: Project, tree: Tree, version: string): Plan {
  const texts: Texts = new Map();
  const users = project.packages.flatMap(manifest => {
    const found = usersIn(manifest, project, tree);
    for (const { section, uses } of found)
      if (uses === 4 || uses === 5)
        texts.set(
          manifest.file,
          setMember(texts.get(manifest.file) ?? manifest.text, [section, 'express'], specOf(uses, version)),
        );
    return found;
  });
  const hasAlias = users.some(({ uses }) => uses === 4 || uses === 'ristretto');
  // Overrides apply to a whole workspace, so a single package must not set them.
  const isWhole = project.home === project.root.folder;
  // A framework such as Nest may depend on Express instead of the application.
  const moves = isWhole && (hasAlias || users.length === 0);
  const dependents = moves ? unshared(project, tree.dependents, hasAlias) : [];
  const pinned = moves ? override(project, dependents, hasAlias, specOf(4, version), texts) : [];
  const released = tree.dependents.filter(({ name, range }) => pinned.includes(name) && majorOf(range) === 4);
  const edits = [...texts].map(([file, after]) => editOf(project, file, after));
  return {
    users,
    overridden: [...new Set([...dependents, ...released].map(({ name }) => name))],
    edits: edits.filter(({ before, after }) => before !== after),
  };
}

export function editOf({ root }: Project, file: string, after: string): Edit {
  const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return { name: relative(root.folder, file), file, before, after };
}

export function usersIn(manifest: ManifestFile, { root }: Project, tree: Tree): User[] {
  return SECTIONS.flatMap(section => {
    const range = manifest.data[section]?.express;
    if (range === undefined) return [];
    const installed = findInstalled('express', manifest.folder, root.folder) ?? locked(tree, range);
    const { name = '', version } = installed ?? {};
    const ours = /^npm:(ristretto5?)@/.exec(range)?.[1] ?? /^ristretto5?$/.exec(name)?.[0];
    const uses = (ours as 'ristretto' | 'ristretto5' | undefined) ?? majorOf(version ?? range);
    return [{ file: relative(root.folder, manifest.file), section, range, version, uses } as const];
  });
}

/** Returns the manifest of the package that `require(name)` loads in a directory, searching up to the root. */
export function findInstalled(name: string, folder: string, root: string): Manifest | undefined {
  const found = readInstalled(path.join(folder, 'node_modules', name));
  if (found !== undefined || folder === root) return found;
  return findInstalled(name, path.dirname(folder), root);
}

/** Returns the only Express in a lock file, unless the range excludes it. */
function locked({ source, copies }: Tree, range: string): Pick<Manifest, 'name' | 'version'> | undefined {
  const [copy, ...others] = copies.filter(({ name }) => name === 'express');
  const isOne = source !== 'node_modules' && copy !== undefined && others.length === 0;
  return isOne && allows(range, majorOf(copy.version)!) ? copy : undefined;
}
