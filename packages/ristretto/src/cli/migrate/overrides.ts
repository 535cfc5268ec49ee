/** Makes packages that depend on Express 4 use Ristretto, through the overrides of each package manager. */
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command';
import { setMember } from './json-text';
import type { Project } from './project';
import type { Dependent } from './tree';
import { acceptsNewest, wantsFour } from './versions';

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
  return dependents.filter(({ range }) => wantsFour(range) && !isShared(range));
}

/**
 * Adds the overrides that these packages need.
 * @param texts receives the changed texts; it may already contain some
 * @param spec the new version of `express`
 */
export function override(
  project: Project,
  dependents: readonly Dependent[],
  spec: string,
  texts: Texts,
): void {
  if (dependents.length === 0) return;
  const { file, text, data } = project.root;
  const set = (member: readonly string[]) =>
    texts.set(file, setMember(texts.get(file) ?? text, member, spec));
  if (project.manager === 'npm') {
    const existing = data.overrides?.express;
    if (existing === '$express') return;
    set(['overrides', existing === undefined ? KEY : 'express']);
  } else if (project.manager === 'pnpm') {
    const existing = data.pnpm?.overrides;
    if (readsManifest(project)) set(['pnpm', 'overrides', existing?.express === undefined ? KEY : 'express']);
    else setInWorkspaceFile(workspaceFile(project), spec, texts);
  } else if (data.resolutions?.express !== undefined) {
    set(['resolutions', 'express']);
  } else {
    const prefix = project.major === 1 ? '**/' : '';
    for (const { name } of dependents) set(['resolutions', `${prefix}${name}/express`]);
  }
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

function setInWorkspaceFile(file: string, spec: string, texts: Texts): void {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const line = (key: string) => `  '${key}': '${spec}'`;
  const head = /^overrides:[ \t]*(?:#.*)?$/m.exec(text.replaceAll('\r\n', ' \n'));
  if (head === null) {
    if (/^overrides:/m.test(text))
      throw new CommandError(
        `Add this to the overrides in ${file}, and run the command again:\n\n${line(KEY)}`,
      );
    const end = text === '' || text.endsWith('\n') ? '' : newline;
    texts.set(file, `${text}${end}overrides:${newline}${line(KEY)}${newline}`);
    return;
  }
  const start = head.index + head[0].trimEnd().length;
  const [block] = /^(?:\s*\n(?:[ \t]+.*)?)*/.exec(text.slice(start)) as unknown as [string];
  const existing = /^[ \t]+(['"]?)(express(?:@4)?)\1:.*$/m.exec(block);
  const changed =
    existing === null
      ? `${newline}${line(KEY)}${block}`
      : block.replace(existing[0].trimEnd(), () => line(existing[2]!));
  texts.set(file, text.slice(0, start) + changed + text.slice(start + block.length));
}
