/** Runs programs with warnings enabled, each in a separate process, and collects the warnings. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { LONGEST_WAIT } from './until';

interface Warned {
  name: string;
  code: string;
  message: string;
  detail?: string;
}

export interface Setting {
  env?: Record<string, string>;
  /** Options of Node. */
  args?: string[];
}

interface Outcome {
  warnings: Warned[];
  /** What the program put into `seen`. */
  seen: unknown[];
  stderr: string;
}

const PRELUDE = `
  const warnings = [];
  process.on('warning', ({ name, code, message, detail }) => warnings.push({ name, code, message, detail }));
  const seen = [];
  process.on('exit', () => console.log(JSON.stringify({ warnings, seen })));
  const web = require('ristretto');
`.replaceAll('\n', ' ');

/**
 * Runs a program, in which `web` is the framework, and waits until it ends.
 * @returns its warnings, in order; their places are in `[eval]`, whose first line is that of the program
 */
export function runProgram(program: string, { env = {}, args = [] }: Setting = {}): Outcome {
  const inherited = { ...process.env };
  delete inherited.RISTRETTO_WARNINGS;
  delete inherited.NODE_ENV;
  const { stdout, stderr } = spawnSync(process.execPath, [...args, '-e', PRELUDE + program], {
    cwd: path.join(__dirname, '..'),
    encoding: 'utf8',
    env: { ...inherited, ...env },
    timeout: LONGEST_WAIT,
  });
  if (stdout === '') throw new Error(`The program failed: ${stderr}`);
  return { ...(JSON.parse(stdout) as Omit<Outcome, 'stderr'>), stderr };
}

/** Like `runProgram`, but returns only the warnings. */
export function warningsOf(program: string, setting?: Setting): Warned[] {
  return runProgram(program, setting).warnings;
}
