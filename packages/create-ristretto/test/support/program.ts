/** The program, run in this process: in a separate folder, with streams that the test reads and writes. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { main } from 'create-ristretto/lib/main';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'create-'));
process.on('exit', () => {
  fs.rmSync(home, { recursive: true, force: true });
});

export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** A new empty folder. */
export function emptyFolder(): string {
  return fs.mkdtempSync(path.join(home, 'work-'));
}

/** The files below a folder, with slashes, in order. */
export function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

/**
 * Runs the program.
 * @param folder the working directory
 * @param typed the lines typed at a terminal, each at its prompt; undefined is the end of the input. Without it,
 *   there is no terminal.
 */
export async function run(folder: string, args: string[], typed?: (string | undefined)[]): Promise<Run> {
  const stdin = new PassThrough();
  const output = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr'): PassThrough =>
    new PassThrough().on(
      'data',
      (chunk: Buffer) => (output[name] += stripVTControlCharacters(chunk.toString())),
    );
  const [stdout, stderr] = [stream('stdout'), stream('stderr')];
  const isTTY = typed !== undefined;
  const lines = [...(typed ?? [])];
  stdout.on('data', (chunk: Buffer) => {
    // A prompt ends without a line break.
    if (!stripVTControlCharacters(chunk.toString()).endsWith(': ')) return;
    const line = lines.shift();
    if (line === undefined) stdin.end();
    else stdin.write(`${line}\n`);
  });
  const environment = {
    stdin: Object.assign(stdin, { isTTY }),
    stdout: Object.assign(stdout, { isTTY }),
    stderr,
  };
  const code = await main(args, { ...environment, cwd: () => folder } as never);
  await new Promise(resolve => setImmediate(resolve));
  return { code, ...output };
}
