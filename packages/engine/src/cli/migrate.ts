/** `ristretto migrate` and `ristretto verify`: start the package `@ristretto/migrate`, which servers do not install. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command';
import type { Command, Printed } from './command';

/** All packages are released together, and share their minor and patch versions. */
const VERSION = versionIn(path.join(__dirname, '../../package.json')).replace(/^\d+/, '4');
const SPEC = `@ristretto/migrate@${VERSION}`;

async function run(args: string[]): Promise<Printed> {
  const installed = findInstalled();
  if (installed === undefined) process.stderr.write(`${SPEC} is not installed here, so npx runs it.\n`);
  // Passes `--package` explicitly, because otherwise an outer `npx --package=ristretto` would pass on its own value.
  const code = await (installed === undefined
    ? start('npx', ['--yes', `--package=${SPEC}`, '--', 'ristretto-migrate', ...args])
    : start(process.execPath, [installed, ...args]));
  return { text: '', code };
}

/**
 * Returns the program of the installed package: beside the program, or in the current directory. Another release would
 * write its own version into `package.json`, so it is not used.
 */
function findInstalled(): string | undefined {
  try {
    const file = require.resolve('@ristretto/migrate/package.json', {
      paths: [path.dirname(process.argv[1]!), process.cwd()],
    });
    return versionIn(file) === VERSION ? path.join(file, '../index.js') : undefined;
  } catch {
    return undefined;
  }
}

function versionIn(file: string): string {
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Runs a program with this one's input and output; returns its exit code. */
function start(program: string, args: readonly string[]): Promise<number> {
  // On Windows, npx is a batch file, which only a shell can start.
  const isBatch = process.platform === 'win32' && program === 'npx';
  const child = spawn(program, isBatch ? args.map(arg => `"${arg}"`) : args, {
    stdio: 'inherit',
    shell: isBatch,
  });
  return new Promise((resolve, reject) => {
    child.on('error', error =>
      reject(
        new CommandError(
          `${program} can't be started: ${error.message}. Install the package and try again: npm install --save-dev --save-exact ${SPEC}`,
        ),
      ),
    );
    child.on('close', code => resolve(code ?? 1));
  });
}

export const migrate: Command = { summary: 'migrates an application from Express to Ristretto', run };

export const verify: Command = {
  summary: 'tries that in a copy: runs the tests and recorded requests on both, and measures',
  run: args => run(['verify', ...args]),
};
