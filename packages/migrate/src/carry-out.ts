/** Carries out a migration: runs the tests, writes the changes, installs, and runs the tests again. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rangeOf } from './catalogs';
import { CommandError } from './command-error';
import { readManifest, SECTIONS } from './manifest';
import type { ManifestFile } from './manifest';
import { overridesOf } from './override-entries';
import { relative } from './paths';
import { findInstalled, findPlugged } from './plan';
import type { Plan } from './plan';
import { install, installCommand, runTests } from './processes';
import type { Ended } from './processes';
import type { Project } from './project';
import type { Outcome, Tested, Unmoved } from './report';
import { compareRuns } from './test-results';
import { readTree } from './tree';
import { checkCommitted, checkWritable, prepareUndo, write } from './undo';

/** How many lines of a failure are shown. */
const SHOWN = 40;

interface Wanted {
  install: boolean;
  test: boolean;
  force: boolean;
  /** Whether this is a temporary copy, which needs no way back. */
  isTrial: boolean;
}

interface Done {
  outcome: Outcome;
  /** Whether the installation failed, an application still loads Express, or the test results got worse. */
  isWorse: boolean;
}

/**
 * Applies the plan, running the tests before and after.
 * @throws CommandError if nothing was changed
 */
export async function carryOut(project: Project, plan: Plan, wanted: Wanted): Promise<Done> {
  checkCommitted(project, wanted.force);
  checkWritable(plan.edits);
  const tested = wanted.test && wanted.install ? testedPackages(project) : [];
  if (tested.length > 0) await installMissing(project);
  const undo = prepareUndo(project, plan.edits);
  const before = await testAll(project, tested);
  write(project, plan.edits, undo);
  if (!wanted.isTrial)
    progress(`Changed: ${plan.edits.map(({ name }) => name).join(', ')}. To undo: ${undo.command}`);
  const outcome: Outcome = { written: true, undo: undo.command, tests: [] };
  if (!wanted.install) return { outcome, isWorse: false };
  const isShared = plan.users.length > 0 && project.home === project.root.folder;
  const released = plan.overridden.length > 0 ? /\bnode_modules\/express$/ : /^node_modules\/express$/;
  const putBack = isShared || plan.overridden.length > 0 ? releaseCopies(project, released) : undefined;
  progress(`Running ${installCommand(project)}`);
  const installed = await install(project);
  outcome.installation = { command: installCommand(project), code: installed.code };
  if (installed.code !== 0) {
    putBack?.();
    outcome.installation.output = explain(installed);
    return { outcome, isWorse: true };
  }
  if (plan.users.length + plan.overridden.length > 0)
    outcome.remaining = readTree(project).copies.filter(
      ({ name, version }) => name === 'express' && version.startsWith('4.'),
    );
  outcome.unmoved = unmovedIn(project, plan);
  const after = await testAll(project, tested);
  outcome.tests = before.map((run, index) => compare(tested[index]!, run, after[index]!));
  const isWorse = outcome.unmoved.length > 0 || outcome.tests.some(({ verdict }) => verdict === 'worse');
  return { outcome, isWorse };
}

/** Finds the applications whose `express` is not the one that their `package.json` asks for. */
function unmovedIn(project: Project, { edits }: Plan): Unmoved[] {
  const { root, packages } = project;
  const overrides = overridesOf(project, new Map(edits.map(({ file, after }) => [file, after])));
  return packages.flatMap(({ folder }) => {
    const { file, data } = readManifest(folder);
    const specs = SECTIONS.map(section => {
      const range = rangeOf(project, 'express', data[section]?.express ?? '');
      return /^npm:(ristretto5?)@/.exec(range)?.[1];
    });
    const wanted = specs.find(Boolean);
    const { name, version = '' } =
      findInstalled('express', folder, root.folder) ?? findPlugged('express', folder, root.folder) ?? {};
    if (wanted === undefined || name === undefined || name === wanted) return [];
    const causes = overrides.filter(
      ({ value, parent, range }) =>
        range === undefined &&
        (parent === undefined || parent === data.name) &&
        value !== '$express' &&
        !value.startsWith(`npm:${wanted}@`),
    );
    const labels = causes.map(({ label, value }) => `${label}, which is ${JSON.stringify(value)}`);
    return [{ file: relative(root.folder, file), name, version, overrides: labels }];
  });
}

/** Returns the packages whose tests are run: the root, whose script tests the whole, or else each migrated package. */
function testedPackages({ root, home, packages }: Project): ManifestFile[] {
  const hasTests = ({ data }: ManifestFile) => {
    const script = data.scripts?.test;
    return script !== undefined && !script.includes('no test specified');
  };
  return home === root.folder && hasTests(root) ? [root] : packages.filter(hasTests);
}

/**
 * Installs the dependencies of an application without `node_modules`.
 * @throws CommandError if that fails
 */
export async function installMissing(project: Project): Promise<void> {
  const { folder } = project.root;
  if (['node_modules', '.pnp.cjs'].some(name => fs.existsSync(path.join(folder, name)))) return;
  progress(`Running ${installCommand(project)}, because nothing is installed yet`);
  const ended = await install(project);
  if (ended.code !== 0) {
    throw new CommandError(
      `${installCommand(project)} failed, before anything was changed:\n\n${explain(ended)}`,
    );
  }
}

type Run = Awaited<ReturnType<typeof runTests>>;

async function testAll(project: Project, tested: readonly ManifestFile[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const { folder } of tested) {
    progress(`Running ${project.manager} test in ${folder}`);
    runs.push(await runTests(project, folder));
  }
  return runs;
}

function compare({ folder }: ManifestFile, { output: _, ...before }: Run, { output, ...after }: Run): Tested {
  const verdict = compareRuns(before, after);
  return { folder, before, after, verdict, ...(verdict === 'worse' ? { output: lastLines(output) } : {}) };
}

function explain({ output }: Ended): string {
  const isOffline =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/.test(output);
  const hint = isOffline
    ? 'The registry cannot be reached.\n\n'
    : output.includes('ERESOLVE')
      ? 'If the application was installed with --legacy-peer-deps, write legacy-peer-deps=true into its .npmrc, and run this again.\n\n'
      : '';
  return `${hint}${lastLines(output)}`;
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-SHOWN).join('\n');
}

/** Prints to standard error, because standard output is reserved for the result. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * Makes the next installation choose a new version of Express for the packages that depend on Express 4: npm keeps the
 * versions in its lock file in spite of a new override, and of workspaces that could share their new one.
 * @param released the places of the copies
 * @returns a function that puts everything back: if the installation fails, the application must still start
 */
function releaseCopies(project: Project, released: RegExp): (() => void) | undefined {
  const { root, manager, lockFile } = project;
  if (manager !== 'npm') return undefined;
  const places = readTree(project)
    .copies.filter(
      ({ name, version, place }) => name === 'express' && version.startsWith('4.') && released.test(place),
    )
    .map(({ place }) => place);
  const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-migrate-'));
  const copies = places.map(
    (place, index) => [path.join(root.folder, place), path.join(kept, String(index))] as const,
  );
  for (const [copy, to] of copies) {
    fs.cpSync(copy, to, { recursive: true, verbatimSymlinks: true });
    fs.rmSync(copy, { recursive: true, force: true });
  }
  process.once('exit', () => fs.rmSync(kept, { recursive: true, force: true }));
  const file = lockFile === undefined ? undefined : path.join(root.folder, lockFile);
  const text = file === undefined ? '' : fs.readFileSync(file, 'utf8');
  if (file !== undefined) releaseLocks(file, text, places);
  return () => {
    for (const [copy, from] of copies) fs.cpSync(from, copy, { recursive: true, verbatimSymlinks: true });
    if (file !== undefined) fs.writeFileSync(file, text);
  };
}

/** Removes packages from npm's lock file, with those in their own `node_modules`. */
function releaseLocks(file: string, text: string, places: readonly string[]): void {
  const lock = JSON.parse(text) as { packages?: Record<string, unknown> };
  const isKept = (key: string) => !places.some(place => key === place || key.startsWith(`${place}/`));
  lock.packages = Object.fromEntries(Object.entries(lock.packages ?? {}).filter(([key]) => isKept(key)));
  fs.writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}
