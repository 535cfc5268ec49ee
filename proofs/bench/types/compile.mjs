/** Compiles a program with TypeScript, and measures what that takes. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const RUNS = 3;

function median(/** @type {number[]} */ values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Reports the processor time of a process when it exits. */
const REPORTER =
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.log(`Processor: ${(user + system) / 1e3}`); });";

/** Writes the configuration of a project of one program. */
export function writeConfiguration(/** @type {string} */ home, /** @type {string} */ file) {
  const options = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
  };
  fs.writeFileSync(
    path.join(home, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: [file] }),
  );
}

/**
 * Compiles a project with an empty cache. Times are processor times, in which other programs of the machine do not count.
 */
export function compile(/** @type {string} */ tsc, /** @type {string} */ home) {
  const reporter = path.join(home, 'reporter.cjs');
  fs.writeFileSync(reporter, REPORTER);
  const args = ['--require', reporter, tsc, '-p', home, '--extendedDiagnostics'];
  const outputs = Array.from({ length: RUNS }, () => {
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout.slice(0, 2000));
    return stdout;
  });
  const numbersOf = (/** @type {string} */ name) =>
    outputs.map(output => Number(new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(output)?.[1]));
  return {
    seconds: median(numbersOf('Processor')) / 1000,
    instantiations: median(numbersOf('Instantiations')),
    megabytes: Math.round(median(numbersOf('Memory used')) / 1024),
  };
}
