/** Runs the program `ristretto` as users do, in a separate folder. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before } from 'node:test';
import { promisify } from 'node:util';
import { LONGEST_WAIT } from './until.js';
import { VIEWS } from './views.js';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

const load = createRequire(__filename);
const manifest = load('ristretto/package.json') as { bin: Record<string, string> };
const program = path.join(path.dirname(load.resolve('ristretto/package.json')), manifest.bin.ristretto!);

/** Returns a folder for the tests of a file, and what writes and runs in it. */
export function inFolder() {
  const folder = ownFolder();
  return {
    folder,
    write: (name: string, text: string): void => fs.writeFileSync(path.join(folder, name), text),
    /** Runs the program in the folder. If it does not end by itself, it is killed and its exit code is null. */
    run(values: Record<string, string>, ...args: string[]): Promise<Ended> {
      const env = { ...process.env, NODE_ENV: 'production', ...values };
      const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, timeout: LONGEST_WAIT });
      const ended: Ended = { code: null, out: '', err: '' };
      child.stdout.on('data', chunk => (ended.out += String(chunk)));
      child.stderr.on('data', chunk => (ended.err += String(chunk)));
      return new Promise(resolve => child.on('close', code => resolve({ ...ended, code })));
    },
  };
}

// Folders for modules that tests write beside themselves, so that they resolve the packages.

/** Returns the path of a folder that exists while the tests of the file run. */
export function ownFolder(): string {
  const folder = path.join(__dirname, '..', `.own-${randomUUID()}`);
  before(() => fs.mkdirSync(folder));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a program, given as text, that requires the packages by name; returns what it prints. */
export function outputOf(program: string, ...args: string[]): string {
  return execFileSync(process.execPath, [...args, '-e', program], {
    cwd: __dirname,
    encoding: 'utf8',
    timeout: LONGEST_WAIT,
  });
}

// Collects what a program prints under `DEBUG`.

/** Runs a program that uses `web`, then sends requests to its `app`; resolves with the output. */
export async function printed(
  framework: string,
  program: string,
  paths: string[],
  DEBUG: string,
  before = '',
): Promise<string[]> {
  const script = `
    ${before}
    const http = require('node:http');
    const web = require('${framework}');
    const views = ${JSON.stringify(VIEWS)};
    ${program}
    const server = http.createServer(app).listen(0, '127.0.0.1', async () => {
      const { port } = server.address();
      for (const path of ${JSON.stringify(paths)}) {
        await new Promise(resolve => {
          const request = http.request({ port, path, agent: false }, res => res.resume().on('end', resolve));
          request.end();
        });
      }
      server.close();
    });`;
  const env = { ...process.env, NODE_ENV: 'test', NODE_NO_WARNINGS: '1', DEBUG };
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', script], { cwd: __dirname, env });
  return (
    stderr
      .split('\n')
      .map(line => line.replace(/^(?:.* GMT|\d{4}-\S+Z) /, ''))
      // Function names differ, and Express marks every expression
      .map(line => line.replace(/\[Function.*\]/, '[Function]').replace(/ \{ fast_.* \}$/, ''))
  );
}
