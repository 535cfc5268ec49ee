/** Decides what to change: which packages move to Ristretto, and which files to edit. */
import fs from 'node:fs';
import path from 'node:path';
import { rangeOf, setRange } from './catalogs';
import { readInstalled, SECTIONS } from './manifest';
import type { Manifest, ManifestFile } from './manifest';
import { override, unshared } from './overrides';
import type { Texts } from './overrides';
import { relative } from './paths';
import type { Project } from './project';
import type { Tree } from './tree';
import { allows, majorOf } from './versions';

/** A package of the application that installs Express. */
export interface User {
  /** Its `package.json`, relative to the root. */
  file: string;
  section: (typeof SECTIONS)[number];
  /** The range in its `package.json`, or in the catalog that this refers to. */
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
        setRange(texts, project, manifest, [section, 'express'], specOf(uses, version));
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

export function usersIn(manifest: ManifestFile, project: Project, tree: Tree): User[] {
  const { root } = project;
  return SECTIONS.flatMap(section => {
    const written = manifest.data[section]?.express;
    if (written === undefined) return [];
    const range = rangeOf(project, 'express', written);
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
  if (found !== undefined) return found;
  if (folder === root) return undefined;
  return findInstalled(name, path.dirname(folder), root);
}

/** What a file of Plug'n'Play exports: https://yarnpkg.com/advanced/pnpapi */
interface PnpApi {
  resolveToUnqualified(request: string, issuer: string): string | null;
  findPackageLocator(location: string): { name: string; reference: string } | null;
}

/** Returns what `require(name)` loads with Plug'n'Play, where packages have no directories. */
export function findPlugged(name: string, folder: string, root: string): Manifest | undefined {
  const file = path.join(root, '.pnp.cjs');
  try {
    // It may have been written since
    Reflect.deleteProperty(require.cache, file);
    const api = require(file) as PnpApi;
    const place = api.resolveToUnqualified(name, folder + path.sep);
    const locator = place === null ? null : api.findPackageLocator(place);
    // As in `virtual:1a2b#npm:4.22.0`
    const [, version] = /npm:([^#]+)$/.exec(locator?.reference ?? '') ?? [];
    return locator === null
      ? undefined
      : { name: locator.name, ...(version === undefined ? {} : { version }) };
  } catch {
    return undefined;
  }
}

/** Returns the only Express in a lock file, unless the range excludes it. */
function locked({ source, copies }: Tree, range: string): Pick<Manifest, 'name' | 'version'> | undefined {
  const [copy, ...others] = copies.filter(({ name }) => name === 'express');
  const isOne = source !== 'node_modules' && copy !== undefined && others.length === 0;
  return isOne && allows(range, majorOf(copy.version)!) ? copy : undefined;
}
