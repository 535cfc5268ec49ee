/** The program: reads the options, asks for missing ones, creates the application, and prints the next steps. */
import path from 'node:path';
import { valuesOf } from './choices';
import type { Answers } from './choices';
import { generate, ownVersion } from './generate';
import { checkName, nameOfDirectory } from './names';
import { HELP, parseOptions } from './options';
import type { Options } from './options';
import { askFor, Cancelled } from './questions';
import { UsageError } from './usage-error';

type Environment = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'cwd'>;

const CANCELLED = 130;

/** @returns the exit code */
export async function main(args: string[], environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  try {
    const options = parseOptions(args);
    if (options.print === 'help') stdout.write(HELP);
    else if (options.print === 'version') stdout.write(`${ownVersion()}\n`);
    else create(await answersFor(options, environment), options.isLocal, environment);
    return 0;
  } catch (error) {
    if (error instanceof Cancelled) {
      stderr.write('\nNothing was created.\n');
      return CANCELLED;
    }
    // An error of the operating system is not a bug of the program either.
    if (!(error instanceof UsageError) && (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

async function answersFor(options: Options, environment: Environment): Promise<Answers> {
  const { stdin, stdout } = environment;
  const workingDirectory = environment.cwd();
  if (options.yes) return withDefaults(options, workingDirectory);
  const isOpen = options.directory === undefined || !options.language || !options.template;
  if (!isOpen) return withDefaults(options, workingDirectory);
  if (stdin.isTTY && stdout.isTTY) return askFor(options, environment, workingDirectory);
  const missing = (['directory', 'language', 'template'] as const).filter(
    name => options[name] === undefined,
  );
  throw new UsageError(
    `No terminal is available to ask for ${missing.join(', ')}: pass each as an option, or --yes for the defaults (--help lists them)`,
  );
}

function withDefaults(options: Options, workingDirectory: string): Answers {
  const {
    directory = 'my-app',
    language = valuesOf('language')[0]!,
    template = valuesOf('template')[0]!,
  } = options;
  const name = options.name ?? checkName(nameOfDirectory(directory, workingDirectory), 'the directory');
  return { directory, name, language, template };
}

/** Quotes a path for a shell; a leading hyphen would otherwise begin an option. */
function inShell(way: string): string {
  const text = way.startsWith('-') ? `./${way}` : way;
  return /\s/.test(text) ? `"${text}"` : text;
}

function create(answers: Answers, isLocal: boolean, { stdout, cwd }: Environment): void {
  const target = path.resolve(cwd(), answers.directory);
  const files = generate(target, answers, isLocal);
  const way = path.relative(cwd(), target);
  const page = answers.template === 'api' ? '/docs' : '';
  const start = `npm run dev     # http://localhost:3000${page}`;
  const steps = [...(way === '' ? [] : [`cd ${inShell(way)}`]), 'npm install', 'npm test', start];
  stdout.write(`Created ${answers.name} in ${target} (${files.length} files). Next:\n\n`);
  stdout.write(steps.map(step => `  ${step}\n`).join(''));
  // On such a version, `node --test` finds no TypeScript files, and succeeds.
  if (answers.language === 'ts' && !Reflect.get(process.features, 'typescript'))
    stdout.write(
      `\nThis Node.js (${process.version}) runs no TypeScript: update to 22.18 or newer, or use --language js.\n`,
    );
}
