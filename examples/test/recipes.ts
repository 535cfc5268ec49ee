/**
 * Loads the recipes of docs/recipes/ as programs: the files that a page shows, in a separate folder.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import esbuild from 'esbuild';
import type { Application } from 'ristretto';
import type { File } from '../../scripts/recipes.mjs';

export const root = path.resolve(__dirname, '../..');
export const tools = () => import('../../scripts/recipes.mjs');

export interface Project {
  folder: string;
  /** Loads one of the project's files into this process. */
  load<Exports>(file: string): Promise<Exports>;
  /** Runs Node in the project, and resolves with its output. */
  node(args: string[], env?: NodeJS.ProcessEnv): Promise<string>;
}

/** The exports of a file that creates an application. */
export interface Load<Args extends unknown[]> {
  createApp(...args: Args): Application;
}

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Returns a folder that is removed after the tests. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'recipe-'));
  folders.push(folder);
  return folder;
}

/** Makes a package, or all packages of a folder, resolvable from there. */
export function link(target: string, ...names: string[]): void {
  const at = path.join(...names);
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.symlinkSync(target, at, 'junction');
}

/** Writes files, and creates their folders. */
export function writeFiles(folder: string, files: Iterable<Pick<File, 'name' | 'code'>>): void {
  for (const { name, code } of files) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, code);
  }
}

/** Returns the files of a page, as written. */
export async function filesOf(page: string): Promise<File[]> {
  const { filesIn } = await tools();
  const files = filesIn(fs.readFileSync(path.join(root, 'docs', `${page}.md`), 'utf8'));
  return files.filter(file => file.link === undefined);
}

/** Returns TypeScript compiled to JavaScript; other files are returned unchanged. */
export function compiled({ name, code, language, ...rest }: File, format: 'esm' | 'cjs' = 'esm'): File {
  if (language !== 'ts') return { name, code, language, ...rest };
  const options = { loader: 'ts', format, target: 'node20', sourcefile: name } as const;
  const raw = JSON.stringify({ compilerOptions: { experimentalDecorators: true } });
  const output = esbuild.transformSync(code, { ...options, tsconfigRaw: raw });
  return { ...rest, language, name: name.replace(/\.ts$/, '.js'), code: output.code };
}

/** Writes the files of pages to a folder with all packages of the repository, ready to run. */
export async function project(...pages: string[]): Promise<Project> {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  link(path.join(root, 'node_modules'), folder, 'node_modules');
  for (const page of pages) {
    const files = await filesOf(page);
    writeFiles(
      folder,
      files.filter(({ language }) => language !== 'json').map(file => compiled(file)),
    );
  }
  return {
    folder,
    load: async <Exports>(file: string) =>
      (await import(pathToFileURL(path.join(folder, file)).href)) as Exports,
    node: (args, env) => node(folder, args, env),
  };
}

/** Runs Node in a folder, without making it part of this test run. */
export async function node(folder: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { NODE_TEST_CONTEXT: _, ...outer } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    env: { ...outer, ...env },
  });
  return stdout;
}

/** Serves the application while `run` runs. */
export async function serving(app: Application, run: (url: string) => Promise<void>): Promise<void> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
