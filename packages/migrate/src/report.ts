/** The results of `ristretto migrate`, as data and as text. */
import type { KnownPackage } from './known-packages';
import type { SECTIONS } from './manifest';
import type { User } from './plan';
import type { Place } from './sources';
import type { TestRun, Verdict } from './test-results';
import type { Copy } from './lock-files';

export interface Found {
  id: string;
  title: string;
  advice: string;
  packages: string[];
  places: Place[];
}

/** An entry of a `package.json` that installs an original or its replacement. */
export interface MiddlewareUse {
  /** The `package.json`, relative to the root. */
  file: string;
  section: (typeof SECTIONS)[number];
  name: string;
  range: string;
  /** The installed version, if known. */
  version: string | undefined;
  /** The replacement, if there is one for this version. */
  alias: string | undefined;
  isReplaced: boolean;
}

/** A replacement that the application can use. */
export interface Replacement {
  name: string;
  alias: string;
  readme: string;
  /** All differences from the original, with the source lines that may be affected. */
  differences: { text: string; places: Place[] }[];
}

export interface Tested {
  folder: string;
  before: TestRun;
  after: TestRun;
  verdict: Verdict;
  /** The end of the output, if the test results got worse. */
  output?: string;
}

/** An application that does not load Ristretto after the installation. */
export interface Unmoved {
  /** Its `package.json`, relative to the root. */
  file: string;
  /** What it loads instead. */
  name: string;
  version: string;
  /** The overrides that may cause it. */
  overrides: string[];
}

/** The changes that were made. */
export interface Outcome {
  written: true;
  /** The shell command that undoes the migration, run in the root of the project. */
  undo: string;
  installation?: { command: string; code: number | null; output?: string };
  /** Copies of Express 4 that are still installed. */
  remaining?: Copy[];
  unmoved?: Unmoved[];
  tests: Tested[];
}

export interface Report extends Partial<Outcome> {
  /** With `--to`: the version of the API to which the application moves. */
  to?: 5;
  folder: string;
  manager: string;
  /** `node_modules`, or the name of a lock file. */
  source: string | undefined;
  users: User[];
  /** With `--middleware`, which examines nothing else. */
  middleware?: MiddlewareUse[];
  replacements?: Replacement[];
  copies: Copy[];
  overridden: string[];
  searched: { files: number; isPartial: boolean };
  differences: Found[];
  /** Installed packages that do not run on Ristretto. */
  packages: (KnownPackage & { version: string })[];
  notes: string[];
  edits: { name: string; diff: string }[];
}

/** How many places are printed for each difference; `--json` has all. */
const SHOWN = 5;

/**
 * Formats a report as text.
 * @param home the URL of the repository, for links
 */
export function print(report: Report, home: string): string {
  const parts = [
    section(`Express in ${report.folder} (${report.manager})`, report.users.map(userLine)),
    section(
      `Middleware in ${report.folder} (${report.manager})`,
      report.middleware?.map(middlewareLine) ?? [],
    ),
    section(`Copies in ${String(report.source)}`, report.copies.map(copyLine)),
    section('Packages that do not run on Ristretto', report.packages.map(packageLine)),
    section(
      report.to === undefined
        ? `What differs from Express 4 here (${searched(report)}; see ${home}/blob/main/docs/DIFFERENCES.md)`
        : `What was not rewritten (${searched(report)}; see ${home}/blob/main/docs/which.md)`,
      report.differences.flatMap(differenceLines),
    ),
    ...(report.replacements ?? []).map(({ name, alias, readme, differences }) =>
      section(
        `What differs from ${name} in ${alias} (${searched(report)}; see ${readme})`,
        differences.flatMap(({ text, places }) => [text, ...placeLines(places)]),
      ),
    ),
    section('Notes', report.notes),
    section('Packages that depend on Express 4, and get Ristretto by an override', report.overridden),
    report.edits.map(({ diff }) => diff).join(''),
    ...(report.written ? outcomeOf(report) : [nextStep(report)]),
  ];
  return parts.filter(Boolean).join('\n');
}

function section(title: string, lines: readonly string[], advice?: string): string {
  const end = advice === undefined ? '' : `${advice}\n`;
  return lines.length === 0 ? '' : `${title}\n${lines.map(line => `  ${line}\n`).join('')}${end}`;
}

function userLine({ file, section: name, range, version, uses }: User): string {
  const framework = typeof uses === 'string' ? 'Ristretto' : 'Express';
  return `${file}  ${name}  ${range}  ${framework} ${version ?? '(not installed)'}`;
}

function middlewareLine({
  file,
  section: name,
  range,
  version,
  alias,
  isReplaced,
  ...use
}: MiddlewareUse): string {
  const what = isReplaced ? 'replaced' : alias === undefined ? 'stays' : `-> ${alias}`;
  return `${file}  ${name}  ${use.name}  ${range}  ${version ?? '(not installed)'}  ${what}`;
}

function copyLine({ name, version, place }: Copy): string {
  return `${name} ${version}  ${place}`;
}

function packageLine({ name, version, reason }: KnownPackage & { version: string }): string {
  return `${name} ${version}: ${reason}`;
}

function searched({ searched: { files, isPartial } }: Report): string {
  return `${String(files)} files searched${isPartial ? ', others were skipped' : ''}`;
}

function differenceLines({ title, advice, packages, places }: Found): string[] {
  return [title, `  ${advice}`, ...packages.map(name => `  package.json: ${name}`), ...placeLines(places)];
}

function placeLines(places: readonly Place[]): string[] {
  const more = places.length - SHOWN;
  return [
    ...places.slice(0, SHOWN).map(({ file, line, text }) => `  ${file}:${String(line)}  ${text}`),
    ...(more > 0 ? [`  and ${String(more)} more`] : []),
  ];
}

function nextStep({ edits, manager, middleware, to }: Report): string {
  if (edits.length === 0) {
    const isDone = middleware?.every(({ isReplaced }) => isReplaced) ?? true;
    return `Nothing to change${isDone ? ': the application uses Ristretto' : ''}.\n`;
  }
  const option = to === undefined ? (middleware === undefined ? '' : ' --middleware') : ` --to ${String(to)}`;
  return `Nothing was written. "npx ristretto migrate${option} --write" makes these changes, runs ${manager} install, and compares the tests before and after.\n`;
}

function outcomeOf({ undo, installation, remaining = [], unmoved = [], tests = [] }: Report): string[] {
  return [
    installationText(installation),
    section('Applications that still load Express', unmoved.map(unmovedLine)),
    section(
      'Express 4 is still installed at',
      remaining.map(copyLine),
      'If nothing should use it, delete node_modules and the lock file, and install again.',
    ),
    section('Tests', tests.flatMap(testLines)),
    `To undo: ${String(undo)}\n`,
  ];
}

function installationText(installation: Outcome['installation']): string {
  if (installation === undefined) return 'The files have been changed. Install, and run the tests.\n';
  const { command, code, output } = installation;
  if (code === 0) return `${command}: done\n`;
  return `${command} failed (exit code ${String(code)}). The files have been changed: fix the cause and run it again, or undo.\n\n${String(output)}\n`;
}

/** Formats what an application still loads, and why. */
export function unmovedLine({ file, name, version, overrides }: Unmoved): string {
  const reason =
    overrides.length === 0
      ? 'no override is known that causes it'
      : `because of ${overrides.join(', and ')}. Change or remove that, and install again`;
  return `${file}: ${name} ${version}, ${reason}.`;
}

function testLines({ folder, before, after, verdict, output }: Tested): string[] {
  return [
    `${verdict}  ${before.command} in ${folder}`,
    `  before: ${runText(before)}`,
    `  after:  ${runText(after)}`,
    ...(output === undefined ? [] : output.split('\n').map(line => `  | ${line}`)),
  ];
}

/** Formats the result of a test run. */
export function runText({ code, counts, seconds }: TestRun): string {
  const counted =
    counts === undefined ? '' : `, ${String(counts.passed)} passed, ${String(counts.failed)} failed`;
  return `exit code ${String(code)}${counted}, ${seconds.toFixed(1)} s`;
}
