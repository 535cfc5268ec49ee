/** The program `ristretto`: runs a command and reports its errors. Each command has its own file. */
import { client } from './client';
import { CommandError } from './command';
import type { Command, Import, Printed } from './command';
import { migrate, verify } from './migrate';
import { openapi } from './openapi';
import { routes } from './routes';

const UNFINISHED = `The application was not found: its module ended the process, or waits for something that never happens, before it
exported one. It can't listen while it is loaded, so export the application from a module of its own, which does not wait
until its server listens.
`;

const commands: Record<string, Command> = { routes, openapi, client, migrate, verify };

/**
 * Runs a command and exits, even if the loaded application has left handles open.
 * @param args the command-line arguments after the program's name
 * @param load loads modules
 * @param version the version of the package
 */
export function main(args: readonly string[], load: Import, version: string): void {
  // Output that applications write while loading goes to standard error, so that it does not mix with the command's
  // own.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  let hasEnded = false;
  // Without this, a module that waits for something that never happens would end the process with code 0.
  process.on('exit', () => {
    if (hasEnded) return;
    process.exitCode = 1;
    process.stderr.write(UNFINISHED);
  });
  run(args, load, version).then(
    printed => {
      hasEnded = true;
      const { text, code } = typeof printed === 'string' ? { text: printed, code: 0 } : printed;
      write(text, () => process.exit(code));
    },
    (error: unknown) => {
      hasEnded = true;
      const text = error instanceof CommandError ? error.message : String((error as Error).stack);
      process.stderr.write(`${text}\n`, () => process.exit(1));
    },
  );
}

async function run(
  [name = '--help', ...rest]: readonly string[],
  load: Import,
  version: string,
): Promise<string | Printed> {
  if (name === '--help' || name === '-h') return usage();
  if (name === '--version' || name === '-v') return `${version}\n`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new CommandError(`Unknown command: ${name}.\n\n${usage()}`);
  if (command.help !== undefined && (rest.includes('--help') || rest.includes('-h'))) return command.help;
  return command.run(rest, load);
}

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  ristretto ${name.padEnd(10)} ${summary}`,
  );
  return `Usage:\n\n${lines.join('\n')}\n\nristretto <command> --help for details; ristretto --version for the version.\n`;
}
