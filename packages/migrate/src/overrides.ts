/** Makes packages that depend on Express 4 use Ristretto, through the overrides of each package manager. */
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error';
import { setMember } from './json-text';
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
 * Adds the overrides that these packages need, and changes those of Express: the version that they name would replace
 * the alias of the application, or conflict with it (EOVERRIDE).
 * @param hasAlias whether the application installs Ristretto as `express`
 * @param texts receives the changed texts; it may already contain some
 * @param spec the new version of `express`
 */
export function override(
  project: Project,
  dependents: readonly Dependent[],
  hasAlias: boolean,
  spec: string,
  texts: Texts,
): void {
  if (dependents.length === 0 && !hasAlias) return;
  const { file, text, data } = project.root;
  const set = (member: readonly string[]) =>
    texts.set(file, setMember(texts.get(file) ?? text, member, spec));
  const isNeeded = dependents.length > 0;
  if (project.manager === 'npm') {
    const { express, [KEY]: ofFour } = data.overrides ?? {};
    if (express === '$express') return;
    if (isNeeded || isPinned(express)) {
      set(['overrides', ...(express === undefined ? memberOf(KEY, ofFour) : memberOf('express', express))]);
    }
  } else if (project.manager === 'pnpm') {
    const isSet = data.pnpm?.overrides?.express !== undefined;
    if (!readsManifest(project)) setInWorkspaceFile(workspaceFile(project), spec, isNeeded, texts);
    else if (isNeeded || isSet) set(['pnpm', 'overrides', isSet ? 'express' : KEY]);
  } else if (data.resolutions?.express !== undefined) {
    set(['resolutions', 'express']);
  } else {
    const prefix = project.major === 1 ? '**/' : '';
    for (const { name } of dependents) set(['resolutions', `${prefix}${name}/express`]);
  }
}

/** An override of npm can be an object, whose member `.` is the version, and the others those of its dependencies. */
function memberOf(key: string, value: unknown): string[] {
  return typeof value === 'object' ? [key, '.'] : [key];
}

function isPinned(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && '.' in value);
}

/** Whether pnpm reads overrides from `package.json` (up to version 10) or `pnpm-workspace.yaml` (from 10.5 on). */
function readsManifest(project: Project): boolean {
  const file = workspaceFile(project);
  const isInUse = fs.existsSync(file) && /^overrides:/m.test(fs.readFileSync(file, 'utf8'));
  return (project.major ?? Infinity) <= 10 && !isInUse;
}

function workspaceFile({ root }: Project): string {
  return path.join(root.folder, 'pnpm-workspace.yaml');
}

function setInWorkspaceFile(file: string, spec: string, isNeeded: boolean, texts: Texts): void {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = (key: string) => `  '${key}': '${spec}'`;
  const head = /^overrides:[ \t]*(?:#.*)?$/m.exec(text.replaceAll('\r\n', ' \n'));
  if (head === null) {
    if (!isNeeded) return;
    if (/^overrides:/m.test(text))
      throw new CommandError(
        `Add this to the overrides in ${file}, and run the command again:\n\n${line(KEY)}`,
      );
    const end = text === '' || text.endsWith('\n') ? '' : newline;
    texts.set(file, `${text}${end}overrides:${newline}${line(KEY)}${newline}`);
    return;
  }
  const start = head.index + head[0].trimEnd().length;
  const [block] = /^(?:\s*\n(?:[ \t]+.*)?)*/.exec(text.slice(start)) as [string];
  const existing = /^[ \t]+(['"]?)(express(?:@4)?)\1:.*$/m.exec(block);
  if (!isNeeded && existing?.[2] !== 'express') return;
  const changed =
    existing === null
      ? `${newline}${line(KEY)}${block}`
      : block.replace(existing[0].trimEnd(), () => line(existing[2]!));
  texts.set(file, text.slice(0, start) + changed + text.slice(start + block.length));
}
