/** Runs the program `ristretto` as users do, in a separate folder. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before } from 'node:test';

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
      const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, timeout: 15_000 });
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
