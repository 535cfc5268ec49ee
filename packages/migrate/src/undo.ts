/** Prepares the undo command: from git if the files are committed, otherwise from backup copies. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error';
import type { Edit } from './plan';
import { installCommand } from './processes';
import type { Project } from './project';

const BACKUP = '.before-ristretto';
const ON_WINDOWS = process.platform === 'win32';

export interface Undo {
  /** The shell command, run in the root of the project. */
  command: string;
  /** Copies to make before anything is written: from, to. */
  backups: [string, string][];
}

/** @throws CommandError if there are uncommitted changes and `--force` is not set */
export function checkCommitted({ root }: Project, isForced: boolean): void {
  const changed = changes(root.folder);
  if (isForced || changed === undefined || changed === '') return;
  throw new CommandError(
    `There are uncommitted changes:\n\n${changed}\nCommit or stash them, so that the migration is easy to review and to undo, or use --force.`,
  );
}

/**
 * Determines how to undo the edits.
 * @throws CommandError if backup copies of an earlier run exist
 */
export function prepareUndo(project: Project, edits: readonly Edit[]): Undo {
  const { root, lockFile } = project;
  const existing = edits.filter(({ before }) => before !== '').map(({ name }) => name);
  const created = edits.filter(({ before }) => before === '').map(({ name }) => name);
  const files = lockFile === undefined ? existing : [...existing, lockFile];
  const isKept = changes(root.folder) === '' && tracked(root.folder, files) === files.length;
  const backups = isKept ? [] : files.map((name): [string, string] => [name, name + BACKUP]);
  const taken = backups.find(([, to]) => fs.existsSync(path.join(root.folder, to)));
  if (taken !== undefined)
    throw new CommandError(
      `${taken[1]} already exists: it is a copy from an earlier run. Move or delete it.`,
    );
  const commands = [
    ...(isKept
      ? [`git checkout -- ${files.map(quote).join(' ')}`]
      : backups.map(([from, to]) => move(to, from))),
    ...created.map(remove),
    installCommand(project),
  ];
  return { command: commands.join(' && '), backups };
}

function move(from: string, to: string): string {
  return ON_WINDOWS ? `cmd /c move /y ${quote(from)} ${quote(to)}` : `mv ${quote(from)} ${quote(to)}`;
}

function remove(name: string): string {
  return ON_WINDOWS ? `cmd /c del ${quote(name)}` : `rm ${quote(name)}`;
}

function quote(name: string): string {
  const native = name.split('/').join(path.sep);
  return /^[\w.@\\/-]+$/.test(native) ? native : JSON.stringify(native);
}

/** Returns the uncommitted changes of tracked files; undefined without git or outside a repository. */
function changes(folder: string): string | undefined {
  return git(folder, 'status', '--porcelain', '--untracked-files=no', '--', '.');
}

function tracked(folder: string, files: readonly string[]): number {
  return git(folder, 'ls-files', '--', ...files)!
    .split('\n')
    .filter(Boolean).length;
}

/** Returns the output of git; undefined without git or outside a repository. */
function git(folder: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}

/** Makes the backup copies, then writes the files. */
export function write(project: Project, edits: readonly Edit[], { backups }: Undo): void {
  const { folder } = project.root;
  for (const [from, to] of backups) fs.copyFileSync(path.join(folder, from), path.join(folder, to));
  for (const { file, after } of edits) fs.writeFileSync(file, after);
}

/** @throws CommandError if a file is not writable; nothing has been changed then */
export function checkWritable(edits: readonly Edit[]): void {
  for (const { file, before } of edits) {
    try {
      fs.accessSync(before === '' ? path.dirname(file) : file, fs.constants.W_OK);
    } catch (error) {
      throw new CommandError(`${file} cannot be written: ${(error as Error).message}`);
    }
  }
}
