/** The program: migrates an application from Express 4 or 5 to Ristretto, or to the next version, or reports what that changes. */
import { parseArgs } from 'node:util';
import { carryOut } from './carry-out';
import { argumentError, CommandError } from './command-error';
import { print } from './report';
import { examineFor, home, readTarget, TARGET_OPTIONS } from './target';
import type { Target } from './target';
import { verify } from './verify';

const HELP = `Usage: ristretto migrate [dir] [--to 5 | --middleware] [--write] [--no-install] [--no-test] [--force] [--json]

Finds the Express that an application uses and its copies in the tree, lists what differs for its sources, and prints the
changes to package.json. Nothing is written or run without --write; "ristretto verify" tries the changes in a copy.

  dir            the folder of the application (default: the current one); the root of a workspace includes all packages
  --to 5         moves on to ristretto5: rewrites paths and members that Express 5 does not have, where the
                 result is certain, and lists the rest; for applications of Express 4 and of Ristretto
  --middleware   instead of Express: proposes aliases for cors, helmet, express-session and other middleware, with the
                 differences of each; for applications of Express 3, 4 and 5 and of Ristretto
  --write        runs the tests, changes the files, installs, runs the tests again, and compares
  --no-install   with --write: changes the files only, and runs nothing
  --no-test      with --write: does not run the tests
  --force        with --write: accepts changes that are not committed
  --json         prints everything as JSON

Exit codes: 0 done, or nothing to do; 1 nothing was changed, the message says why; 2 changed, but the installation failed,
an application still loads Express, or more tests fail than before: how to undo is printed.
`;

interface Options extends Target {
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
 * @param args the command-line arguments after the program's name; those of `ristretto verify` begin with `verify`
 * @returns the exit code
 */
export async function main(
  args: string[],
  { stdout, stderr }: Record<'stdout' | 'stderr', Output>,
): Promise<number> {
  const command = args[0] === 'verify' ? 'verify' : 'migrate';
  try {
    const { text, code } = await (command === 'verify' ? verify(args.slice(1)) : migrate(args));
    stdout.write(text);
    return code;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const usage = error.usage === undefined ? '' : `: ristretto ${command} ${error.usage}`;
    stderr.write(`${error.message}${usage}\n`);
    return 1;
  }
}

async function migrate(args: string[]): Promise<{ text: string; code: number }> {
  const options = read(args);
  if (options === 'help') return { text: HELP, code: 0 };
  const { project, plan, report } = examineFor(options);
  const done =
    options.write && plan.edits.length > 0
      ? await carryOut(project, plan, { ...options, isTrial: false })
      : undefined;
  const whole = { ...report, ...done?.outcome };
  const text = options.json ? `${JSON.stringify(whole, undefined, 2)}\n` : print(whole, home);
  return { text, code: done?.isWorse ? 2 : 0 };
}

function read(args: string[]): Options | 'help' {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const options = {
      ...TARGET_OPTIONS,
      write: flag,
      'no-install': flag,
      'no-test': flag,
      force: flag,
      json: flag,
      help: { ...flag, short: 'h' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    if (values.help) return 'help';
    const { write, force, json, 'no-install': noInstall, 'no-test': noTest } = values;
    const target = readTarget(values, positionals);
    if (!write && (noInstall || noTest || force))
      throw new Error('--no-install, --no-test and --force require --write.');
    return { ...target, write, install: !noInstall, test: !noTest, force, json };
  } catch (error) {
    throw argumentError(error, HELP);
  }
}
