/** `ristretto verify`: migrates a temporary copy of an application, runs both, and sums up in a few lines what would change. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { carryOut, installMissing, progress } from './carry-out';
import { argumentError, CommandError } from './command-error';
import { readProject } from './project';
import type { Project } from './project';
import { readRecording } from './recording';
import type { Recording } from './recording';
import { comparePlayed, play } from './replay';
import type { Compared, Measured, Played } from './replay';
import { runText, unmovedLine } from './report';
import type { Report } from './report';
import { whileServed } from './served';
import { examineFor, readTarget, TARGET_OPTIONS } from './target';
import type { Target } from './target';

const HELP = `Usage: ristretto verify [dir] [--to 5 | --middleware] [--har file] [--seconds n] [--json]

Copies an application with all that is installed into a temporary directory, makes the changes of "ristretto migrate" there,
installs, runs the tests before and after, and prints in about ten lines what would change. The application stays as it is.

  dir            the folder of the application (default: the current one)
  --to 5         verifies the step to ristretto5 instead
  --middleware   verifies the replacements of middleware instead
  --har file     starts the application before and after with its start script, replays the recorded GET and HEAD requests,
                 compares the responses, and measures; browsers save a HAR file in their network panel. The application
                 uses the databases that it is configured for
  --seconds n    how long to measure each (default: 5; 0 only compares)
  --json         prints everything as JSON

Exit codes: 0 nothing got worse; 1 nothing was tried, the message says why; 2 the installation failed, the application still
loads Express, more tests fail, or recorded requests get other responses.
`;

/** How many lines of a failed run are printed, and how many differences between responses. */
const SHOWN = { lines: 20, changes: 10 };

/** Printed with replayed requests: in development, frameworks check and report more. */
const IN_DEVELOPMENT =
  'The application ran in development, where error pages differ and requests take longer: set NODE_ENV=production for what users get.';

interface Options extends Target {
  har: string | undefined;
  seconds: number;
  json: boolean;
}

/** The report of a migration, and of replayed requests. */
interface Verified extends Report {
  replayed?: Compared & { unsafe: number };
  /** The end of the output, if the application started with Express and not afterwards. */
  startFailure?: string;
}

/**
 * Runs the command.
 * @throws CommandError if nothing could be tried
 */
export async function verify(args: string[]): Promise<{ text: string; code: number }> {
  const options = read(args);
  if (options === 'help') return { text: HELP, code: 0 };
  const recording = options.har === undefined ? undefined : readRecording(options.har);
  const { verified, isWorse } = await inCopy(options.folder, copy =>
    compareIn({ ...options, folder: copy }, recording),
  );
  const text = options.json
    ? `${JSON.stringify(verified, undefined, 2)}\n`
    : summary(verified, options.folder);
  return { text, code: isWorse ? 2 : 0 };
}

/** Runs a function on a copy of an application with its whole workspace, which is removed afterwards. */
async function inCopy<T>(folder: string, run: (copy: string) => Promise<T>): Promise<T> {
  const { root, home } = readProject(folder);
  const draft = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'ristretto-verify-'));
  try {
    fs.cpSync(root.folder, draft, {
      recursive: true,
      verbatimSymlinks: true,
      // Without `.git`, changes of the copy do not appear in the repository.
      filter: file => path.basename(file) !== '.git',
    });
    return await run(path.join(draft, path.relative(root.folder, home)));
  } finally {
    // Windows keeps files of a process for a moment after it has ended.
    fs.rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function compareIn(
  options: Options,
  recording: Recording | undefined,
): Promise<{ verified: Verified; isWorse: boolean }> {
  const { project, plan, report } = examineFor(options);
  if (plan.edits.length === 0) return { verified: report, isWorse: false };
  if (recording !== undefined) await installMissing(project);
  const before = recording && (await playIn(project, recording, options));
  const wanted = { install: true, test: true, force: true, isTrial: true };
  const { outcome, isWorse } = await carryOut(project, plan, wanted);
  const verified: Verified = { ...report, ...outcome };
  if (recording === undefined || before === undefined || outcome.installation?.code !== 0)
    return { verified, isWorse };
  try {
    const after = await playIn(project, recording, options);
    const compared = comparePlayed(recording.requests, before, after);
    verified.replayed = { ...compared, unsafe: recording.unsafe };
    return { verified, isWorse: isWorse || compared.different > 0 };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { verified: { ...verified, startFailure: error.message }, isWorse: true };
  }
}

function playIn(project: Project, { requests, port }: Recording, { seconds }: Options): Promise<Played> {
  progress(`Starting ${project.home}, and replaying ${String(requests.length)} requests`);
  return whileServed(project, project.home, port, served => play(served, requests, seconds));
}

/** Formats what would change in a few lines. */
function summary(verified: Verified, folder: string): string {
  const {
    edits,
    overridden,
    installation,
    unmoved = [],
    tests = [],
    differences,
    packages,
    replayed,
    startFailure,
  } = verified;
  const places = differences.flatMap(each => each.places).length;
  const rows: [string, string][] = [
    ['files', edits.map(({ name }) => name).join(', ') || 'none: the application uses Ristretto'],
    ['overrides', overridden.join(', ')],
    ['installation', installation === undefined ? '' : ended(installation.code)],
    ...unmoved.map((each): [string, string] => ['not moved', unmovedLine(each)]),
    ['tests', tests.length === 0 ? 'none: no test script was found' : ''],
    ...tests.flatMap(({ before, after, verdict }): [string, string][] => [
      ['tests before', `${before.command}: ${runText(before)}`],
      ['tests after', `${after.command}: ${runText(after)} (${verdict})`],
    ]),
    [
      'responses',
      startFailure === undefined ? replayed && responsesText(replayed) : 'the application does not start',
    ],
    ['cost', replayed?.before && replayed.after && costText(replayed.before, replayed.after)],
    ['differences', `${String(differences.length)} to check, in ${String(places)} places`],
    ['cannot run', packages.map(({ name, version }) => `${name} ${version}`).join(', ')],
  ].filter((row): row is [string, string] => Boolean(row[1]));
  const failures = [installation?.output, ...tests.map(({ output }) => output), startFailure].flatMap(
    output => (output === undefined ? [] : output.split('\n').slice(-SHOWN.lines)),
  );
  return [
    `Tried in a copy of ${path.resolve(folder)}, where nothing has changed:`,
    ...rows.map(([name, text]) => `  ${name.padEnd(13)} ${text}`),
    ...changeLines(replayed?.changes ?? []).map(line => `  | ${line}`),
    ...failures.map(line => `  | ${line}`),
    ...(replayed && process.env.NODE_ENV !== 'production' ? [IN_DEVELOPMENT] : []),
    '"ristretto migrate" lists the differences; with --write, it makes the changes.',
    '',
  ].join('\n');
}

function responsesText({ requests, different, unstable, unsafe }: Compared & { unsafe: number }): string {
  return [
    `${String(requests)} replayed, ${String(different)} differ`,
    unstable > 0 && `${String(unstable)} change by themselves in part`,
    unsafe > 0 && `${String(unsafe)} requests that may write were left out`,
  ]
    .filter(Boolean)
    .join('; ');
}

function costText(before: Measured, after: Measured): string {
  const share = (100 * (after.perRequest - before.perRequest)) / before.perRequest;
  return `${before.perRequest.toFixed(0)} µs of processor time per request before, ${after.perRequest.toFixed(0)} after (${share > 0 ? '+' : ''}${share.toFixed(0)} %); p99 ${before.p99.toFixed(1)} ms, ${after.p99.toFixed(1)} ms`;
}

function changeLines(changes: Compared['changes']): string[] {
  const more = changes.length - SHOWN.changes;
  return [
    ...changes
      .slice(0, SHOWN.changes)
      .map(({ text, requests: [first = '', ...others] }) =>
        others.length === 0 ? `${first}: ${text}` : `${first} and ${String(others.length)} more: ${text}`,
      ),
    ...(more > 0 ? [`and ${String(more)} more differences (--json)`] : []),
  ];
}

function ended(code: number | null): string {
  return code === 0 ? 'done' : `failed (exit code ${String(code)})`;
}

function read(args: string[]): Options | 'help' {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const options = {
      ...TARGET_OPTIONS,
      har: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      json: flag,
      help: { ...flag, short: 'h' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) return 'help';
    const { har, json } = values;
    const seconds = Number(values.seconds);
    if (!(seconds >= 0 && seconds <= 600))
      throw new Error(`Expected --seconds to be a number from 0 to 600, got "${values.seconds}".`);
    return { ...readTarget(values, positionals), har, seconds, json };
  } catch (error) {
    throw argumentError(error, HELP);
  }
}
