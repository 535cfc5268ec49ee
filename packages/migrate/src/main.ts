/** The program: migrates an application from Express 4 to Ristretto or its next version, or reports what that changes. */
import { parseArgs } from 'node:util';
import manifest = require('../package.json');
import { carryOut } from './carry-out';
import { CommandError } from './command-error';
import { examine } from './examine';
import type { Examined } from './examine';
import { examineMiddleware } from './middleware';
import { print } from './report';
import type { Report } from './report';
import { examineTo5 } from './to-5';
import { inCopy, summary } from './trial';

const HELP = `Usage: ristretto migrate [dir] [--to 5 | --middleware] [--try | --write] [--no-install] [--no-test] [--force] [--json]

Finds the Express that an application uses and its copies in the tree, lists what differs for its sources, and prints the
changes to package.json. Nothing is written or run without --try or --write.

  dir            the folder of the application (default: the current one); the root of a workspace includes all packages
  --to 5         moves on to ristretto5: rewrites paths and members that Express 5 does not have, where the
                 result is certain, and lists the rest; for applications of Express 4 and of Ristretto
  --middleware   instead of Express: proposes aliases for cors, helmet, express-session and other middleware, with the
                 differences of each; for applications of Express 3, 4 and 5 and of Ristretto
  --try          does what --write does in a temporary copy, and sums up in a few lines what would change
  --write        runs the tests, changes the files, installs, runs the tests again, and compares
  --no-install   with --write: changes the files only, and runs nothing
  --no-test      with --write: does not run the tests
  --force        with --write: accepts changes that are not committed
  --json         prints everything as JSON

Exit codes: 0 done, or nothing to do; 1 nothing was changed, the message says why; 2 changed, but the installation failed or
more tests fail than before: how to undo is printed.
`;

interface Options {
  folder: string;
  to: string | undefined;
  middleware: boolean;
  isTrial: boolean;
  write: boolean;
  install: boolean;
  test: boolean;
  force: boolean;
  json: boolean;
}

/** The members of a stream that are used. */
interface Output {
  write: (text: string) => unknown;
}

/**
 * Runs the program.
 * @param args the command-line arguments after the program's name
 * @returns the exit code
 */
export async function main(
  args: string[],
  { stdout, stderr }: Record<'stdout' | 'stderr', Output>,
): Promise<number> {
  try {
    const options = read(args);
    if (options === 'help') {
      stdout.write(HELP);
      return 0;
    }
    const home = manifest.homepage.replace(/#.*/, '');
    const { isTrial, folder } = options;
    const { report, isWorse } = await (isTrial
      ? inCopy(folder, copy => migrate({ ...options, folder: copy }, home))
      : migrate(options, home));
    const text = isTrial ? summary(report, folder) : print(report, home);
    stdout.write(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : text);
    return isWorse ? 2 : 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function migrate(options: Options, home: string): Promise<{ report: Report; isWorse: boolean }> {
  const { project, plan, report } = examineFor(options, home);
  const done = options.write && plan.edits.length > 0 ? await carryOut(project, plan, options) : undefined;
  return { report: { ...report, ...done?.outcome }, isWorse: done?.isWorse ?? false };
}

function examineFor({ folder, to, middleware }: Options, home: string): Examined {
  if (middleware) return examineMiddleware(folder, home);
  return to === undefined ? examine(folder, manifest.version) : examineTo5(folder, manifest.version);
}

function read(args: string[]): Options | 'help' {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const options = {
      to: { type: 'string' },
      middleware: flag,
      try: flag,
      write: flag,
      'no-install': flag,
      'no-test': flag,
      force: flag,
      json: flag,
      help: { ...flag, short: 'h' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) return 'help';
    const [folder = '.', ...others] = positionals;
    if (others.length > 0) throw new Error('Expected one directory.');
    const { to, middleware, try: isTrial, force, json, 'no-install': noInstall, 'no-test': noTest } = values;
    if (to !== undefined && to !== '5') throw new Error(`Expected --to 5, got "${to}".`);
    if (to !== undefined && middleware) throw new Error('--to and --middleware are separate steps.');
    if (isTrial && (values.write || noInstall || noTest))
      throw new Error('--try installs and tests in a copy, and writes nothing else.');
    const write = isTrial || values.write;
    if (!write && (noInstall || noTest || force))
      throw new Error('--no-install, --no-test and --force require --write.');
    return { folder, to, middleware, isTrial, write, install: !noInstall, test: !noTest, force, json };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n\n${HELP}`);
  }
}
