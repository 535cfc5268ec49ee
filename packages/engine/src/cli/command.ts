/** The interface of the program's commands, and the error they throw for mistakes of the user. */
import { parseArgs } from 'node:util';

/** Loads a module of any kind by its URL. */
export type Import = (url: string) => Promise<Record<string, unknown>>;

/** The output of a command that also sets the exit code. */
export interface Printed {
  text: string;
  code: number;
}

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The text for `--help`; a command without a text handles the option itself. */
  help?: string;
  /**
   * @param args the arguments after the command's name
   * @param load loads modules
   * @returns the text to print; the exit code is 0 unless the result sets it
   * @throws CommandError for an error that the user can fix
   */
  run(args: string[], load: Import): Promise<string | Printed>;
}

/** An error that is printed as its message alone, without a stack. */
export class CommandError extends Error {}

/**
 * Reads the arguments of a command: one file, and options.
 * @throws CommandError for anything else, with the help
 */
export function readArguments<Name extends string>(
  args: string[],
  options: Readonly<Record<Name, { type: 'string' | 'boolean'; short?: string }>>,
  help: string,
): { name: string; values: Partial<Record<Name, string | boolean>> } {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name, ...others] = positionals;
    if (name === undefined || others.length > 0) throw new Error('Expected one file.');
    return { name, values };
  } catch (error) {
    // Node's hint about arguments that start with a hyphen does not apply to these commands
    fail((error as Error).message.split(/(?<=\.) To specify /)[0]!, help);
  }
}

/** @throws CommandError with the help */
export function fail(message: string, help: string): never {
  throw new CommandError(`${message}\n\n${help}`);
}
