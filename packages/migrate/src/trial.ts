/** Carries out a migration in a temporary copy of an application, and sums up what it would change. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readProject } from './project';
import { runText } from './report';
import type { Report } from './report';

/** How many lines of a failed run are printed. */
const SHOWN = 20;

/**
 * Runs a function on a copy of an application with everything that is installed, which is removed afterwards.
 * @param folder the directory of the application; the copy has the whole workspace
 */
export async function inCopy<T>(folder: string, run: (copy: string) => Promise<T>): Promise<T> {
  const { root, home } = readProject(folder);
  const draft = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ristretto-trial-'));
  try {
    fs.cpSync(root.folder, draft, {
      recursive: true,
      verbatimSymlinks: true,
      // A repository would count the changes of the copy.
      filter: file => path.basename(file) !== '.git',
    });
    return await run(path.join(draft, path.relative(root.folder, home)));
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Formats the report of a trial in a few lines.
 * @param folder the directory of the application
 */
export function summary(report: Report, folder: string): string {
  const { edits, overridden, installation, tests = [], differences, packages } = report;
  const places = differences.flatMap(each => each.places).length;
  const rows: [string, string][] = [
    ['files', edits.map(({ name }) => name).join(', ') || 'none: the application uses Ristretto'],
    ['overrides', overridden.join(', ')],
    ['installation', installation === undefined ? '' : ended(installation.code)],
    ...tests.flatMap(({ before, after, verdict }): [string, string][] => [
      ['tests before', `${before.command}: ${runText(before)}`],
      ['tests after', `${after.command}: ${runText(after)} (${verdict})`],
    ]),
    ['differences', `${String(differences.length)} to check, in ${String(places)} places`],
    ['cannot run', packages.map(({ name, version }) => `${name} ${version}`).join(', ')],
  ];
  const failures = [installation?.output, ...tests.map(({ output }) => output)].flatMap(output =>
    output === undefined ? [] : output.split('\n').slice(-SHOWN),
  );
  return [
    `Tried in a copy of ${path.resolve(folder)}, where nothing has changed:`,
    ...rows.filter(([, text]) => text !== '').map(([name, text]) => `  ${name.padEnd(13)} ${text}`),
    ...failures.map(line => `  | ${line}`),
    'Without --try, the same command lists the differences; with --write, it makes the changes.',
    '',
  ].join('\n');
}

function ended(code: number | null): string {
  return code === 0 ? 'done' : `failed (exit code ${String(code)})`;
}
