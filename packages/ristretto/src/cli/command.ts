/** What a command of the program is, and how it says that it can't do what it was asked. */

/** Loads a module of any kind by its URL. */
export type Import = (url: string) => Promise<Record<string, unknown>>;

/** What a command prints, where the exit code has to say more than that. */
export interface Printed {
  text: string;
  code: number;
}

export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** The options. */
  help: string;
  /**
   * @param args those behind the command's name
   * @param load loads modules
   * @returns what is printed; the exit code is 0, unless it says another
   * @throws CommandError where the person at the keyboard can mend it
   */
  run(args: string[], load: Import): Promise<string | Printed>;
}

/** An error that is a message alone. */
export class CommandError extends Error {}
