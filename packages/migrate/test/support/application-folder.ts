/** Application folders and scripted package managers, for the tests of the command line. */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, mock } from 'node:test';
import { main } from '@ristretto/migrate/lib/main';
import { LONGEST_WAIT } from '../../../engine/test/support/until';

const load = createRequire(__filename);
const home = path.dirname(load.resolve('@ristretto/migrate/package.json'));
const { version, bin } = load('@ristretto/migrate/package.json') as {
  version: string;
  bin: Record<string, string>;
};
const program = path.join(home, bin['ristretto-migrate']!);

/** The dependency that the command writes into manifests. */
export const ALIAS = `npm:ristretto@^${version}`;

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Files by name; values other than strings are written as JSON. */
export type Files = Record<string, unknown>;

/** An application with Express, and what its tests print. */
export const APP = {
  'package.json': { scripts: { test: 'x' }, dependencies: { express: '^4.18.2' } },
  'package-lock.json': {},
  'node_modules/express/package.json': { name: 'express', version: '4.22.0' },
  '.gitignore': 'node_modules\n',
};
export const PASS = '# pass 3\n# fail 0';

const folders: string[] = [];
after(() => folders.forEach(folder => fs.rmSync(folder, { recursive: true })));

/** Writes files into a new folder outside of any repository, which is removed after the tests. */
export function folderOf(files: Files): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-migrate-')));
  folders.push(folder);
  addFiles(folder, files);
  return folder;
}

export function addFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(
      file,
      typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    );
  }
}

/** The manifest of an installed package. */
export function installed(name: string, packageVersion: string, express?: string): Files[string] {
  return { name, version: packageVersion, ...(express === undefined ? {} : { dependencies: { express } }) };
}

/** Runs the program in a folder. */
export function spawnMigrate(cwd: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = childProcess.spawn(process.execPath, [program, ...args], {
    cwd,
    env,
    timeout: LONGEST_WAIT,
  });
  const ended: Ended = { code: null, out: '', err: '' };
  child.stdout.on('data', chunk => (ended.out += String(chunk)));
  child.stderr.on('data', chunk => (ended.err += String(chunk)));
  return new Promise(resolve => child.on('close', code => resolve({ ...ended, code })));
}

/** Runs the program in this process, for tests that need no separate one. */
export async function migrate(...args: string[]): Promise<Ended> {
  const ended: Ended = { code: null, out: '', err: '' };
  const collect = (name: 'out' | 'err') => ({ write: (text: string) => (ended[name] += text) });
  const { write } = process.stderr;
  process.stderr.write = (text: string | Uint8Array) => Boolean((ended.err += String(text)));
  try {
    return Object.assign(ended, {
      code: await main(args, { stdout: collect('out'), stderr: collect('err') }),
    });
  } finally {
    process.stderr.write = write;
  }
}

/** The output of a package manager, and its exit code. */
type Play = readonly [code: number, output: string];

export interface Script {
  /** Test runs with Express (`before`) and with Ristretto (`after`). */
  before?: Play;
  after?: Play;
  /** Each installation in turn; a successful one installs what `package.json` declares. */
  installs?: readonly Play[];
}

/** Makes package managers in this process follow the script, except when they start the application; returns the commands in order. */
export function playManagers(script: Script): string[] {
  const calls: string[] = [];
  let installs = 0;
  const { spawn } = childProcess;
  mock.method(
    childProcess,
    'spawn',
    (program: string, args: string[], options: childProcess.SpawnOptions) => {
      const { cwd, env } = options;
      const folder = String(cwd);
      calls.push(`${program} ${args.join(' ')} in ${path.basename(folder)}`);
      if (args[0] === 'start') return spawn(program, args, options);
      const manifest = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
      const moved = /npm:(ristretto5?)@/.exec(manifest)?.[1];
      const isTest = args[0] === 'test';
      const [code, output] = (isTest
        ? script[moved === undefined ? 'before' : 'after']
        : script.installs?.[installs++]) ?? [0, ''];
      const isPlugged = fs.existsSync(path.join(folder, '.pnp.cjs'));
      if (!isTest && code === 0 && !isPlugged) {
        const name = moved ?? 'express';
        addFiles(folder, { 'node_modules/express/package.json': { name, version: '4.22.0' } });
      }
      const child = Object.assign(new EventEmitter(), {
        stdout: new PassThrough(),
        stderr: new PassThrough(),
      });
      child.stdout.end(`${output}\nCI=${String(env?.CI)}\n`);
      child.stderr.end();
      child.stdout.on('end', () => child.emit('close', code));
      return child;
    },
  );
  return calls;
}
