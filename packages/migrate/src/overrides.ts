/** Makes packages that depend on Express 4 use Ristretto, through the overrides of each package manager. */
import { CommandError } from './command-error';
import { setMember } from './json-text';
import {
  isOf4,
  overridesIn,
  overridesInWorkspace,
  readsManifest,
  textOf,
  workspaceFile,
} from './override-entries';
import type { OverrideEntry } from './override-entries';
import type { Project } from './project';
import type { Dependent } from './tree';
import { acceptsNewest, majorOf } from './versions';

/** Changed texts by file name. */
export type Texts = Map<string, string>;

/** With this key, npm and pnpm override only dependencies on Express 4; packages that need another version keep it. */
const KEY = 'express@4';

/**
 * Returns the packages that would install their own Express 4 next to Ristretto.
 * @param hasAlias whether the application installs Ristretto as `express`, which only npm then shares with other
 * packages
 */
export function unshared(
  { manager }: Project,
  dependents: readonly Dependent[],
  hasAlias: boolean,
): Dependent[] {
  const isShared = (range: string) => hasAlias && manager === 'npm' && acceptsNewest(range);
  return dependents.filter(({ range }) => majorOf(range) === 4 && !isShared(range));
}

/**
 * Adds the overrides that these packages need, and changes those of Express 4: the version that they name would replace
 * the alias of the application, conflict with it (EOVERRIDE), or keep Express for the packages that they name.
 * @param hasAlias whether the application installs Ristretto as `express`
 * @param texts receives the changed texts; it may already contain some
 * @param spec the new version of `express`
 * @returns the names of the packages whose own override was changed
 */
export function override(
  project: Project,
  dependents: readonly Dependent[],
  hasAlias: boolean,
  spec: string,
  texts: Texts,
): string[] {
  if (dependents.length === 0 && !hasAlias) return [];
  const { file, text, data } = project.root;
  const set = (member: readonly string[]) =>
    texts.set(file, setMember(texts.get(file) ?? text, member, spec));
  const isNeeded = dependents.length > 0;
  if (project.manager === 'pnpm' && !readsManifest(project))
    return parentsOf(setInWorkspaceFile(workspaceFile(project), spec, isNeeded, texts));
  const entries = overridesIn(data, project);
  const changed = entries.filter(mustChange);
  for (const { keys } of changed) set(keys);
  if (!isNeeded || entries.some(isOfAll)) return parentsOf(changed);
  if (project.manager === 'npm') {
    const { express, [KEY]: ofFour } = data.overrides ?? {};
    set(['overrides', ...(express === undefined ? memberOf(KEY, ofFour) : memberOf('express', express))]);
  } else if (project.manager === 'pnpm') {
    set(['pnpm', 'overrides', KEY]);
  } else {
    const prefix = project.major === 1 ? '**/' : '';
    for (const { name } of dependents) set(['resolutions', `${prefix}${name}/express`]);
  }
  return parentsOf(changed);
}

/** Whether Ristretto takes the place of an entry. One for all packages would replace the alias, whatever it says. */
function mustChange(entry: OverrideEntry): boolean {
  return isOf4(entry) || (isOfAll(entry) && entry.value !== '$express');
}

/** Whether an entry is for all packages and versions. */
function isOfAll({ parent, range }: OverrideEntry): boolean {
  return parent === undefined && range === undefined;
}

function parentsOf(entries: readonly OverrideEntry[]): string[] {
  return entries.flatMap(({ parent }) => parent ?? []);
}

/** An override of npm can be an object, whose member `.` is the version, and the others those of its dependencies. */
function memberOf(key: string, value: unknown): string[] {
  return typeof value === 'object' ? [key, '.'] : [key];
}

/** @returns the entries that were changed */
function setInWorkspaceFile(file: string, spec: string, isNeeded: boolean, texts: Texts): OverrideEntry[] {
  const text = texts.get(file) ?? textOf(file);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = (key: string) => `  '${key}': '${spec}'`;
  const { entries, start, end } = overridesInWorkspace(text);
  if (start === undefined) {
    if (!isNeeded) return [];
    if (/^overrides:/m.test(text))
      throw new CommandError(
        `Add this to the overrides in ${file}, and run the command again:\n\n${line(KEY)}`,
      );
    const gap = text === '' || text.endsWith('\n') ? '' : newline;
    texts.set(file, `${text}${gap}overrides:${newline}${line(KEY)}${newline}`);
    return [];
  }
  const ofAll = entries.some(isOfAll);
  const isKey = ({ keys }: OverrideEntry) => isNeeded && !ofAll && keys[0] === KEY;
  const changed = entries.filter(entry => mustChange(entry) || isKey(entry));
  let block = text.slice(start, end);
  for (const { keys } of changed) {
    const name = keys[0]!.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    block = block.replace(new RegExp(`^[ \\t]+(['"]?)${name}\\1:.*?(?=\\s*$)`, 'm'), () => line(keys[0]!));
  }
  if (isNeeded && !ofAll && !changed.some(isKey)) block = `${newline}${line(KEY)}${block}`;
  texts.set(file, text.slice(0, start) + block + text.slice(end));
  return changed;
}
