/** Asks for what the command line leaves open. */
import { createInterface } from 'node:readline';
import { CHOICES, valueNamed, valuesOf } from './choices';
import type { Answers, Choice, Value } from './choices';
import { nameOfDirectory, nameProblem } from './names';
import type { Options } from './options';

/** The input ended, or Ctrl-C was pressed, before everything was answered. */
export class Cancelled extends Error {}

export type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout'>;

const DIRECTORY = 'my-app';

/** One terminal, asked one question after the other. */
class Dialogue {
  private readonly lines;

  constructor(private readonly terminal: Terminal) {
    this.lines = createInterface({ input: terminal.stdin, output: terminal.stdout });
  }

  /** The answer, without spaces around it. */
  ask(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => reject(new Cancelled());
      this.lines.once('close', cancel);
      this.lines.question(question, text => {
        this.lines.off('close', cancel);
        resolve(text.trim());
      });
    });
  }

  /** One of the values, by its name or number; Enter takes the first. Asks again until it is one. */
  async choose<C extends Choice>(choice: C): Promise<Value<C>> {
    const { question, values } = CHOICES[choice];
    const names = valuesOf(choice);
    const list = Object.entries(values).map(
      ([value, label], at) => `  ${at + 1}) ${value.padEnd(6)} ${label}\n`,
    );
    for (;;) {
      this.terminal.stdout.write(`${question}\n${list.join('')}`);
      const text = await this.ask(`Choose (${names[0]!}): `);
      const value = text === '' ? names[0] : (names[Number(text) - 1] ?? valueNamed(choice, text));
      if (value !== undefined) return value;
    }
  }

  /** A name for the package, where that of the directory can't be used. */
  async name(problem: string): Promise<string> {
    for (let wrong: string | undefined = problem; ;) {
      const text = await this.ask(`Package name (${wrong}): `);
      wrong = nameProblem(text);
      if (wrong === undefined) return text;
    }
  }

  close(): void {
    this.lines.close();
  }
}

/**
 * Asks for everything that the options leave open.
 * @throws Cancelled when the user gives up
 */
export async function askFor(
  options: Options,
  terminal: Terminal,
  workingDirectory: string,
): Promise<Answers> {
  const dialogue = new Dialogue(terminal);
  try {
    const directory = options.directory ?? ((await dialogue.ask(`Directory (${DIRECTORY}): `)) || DIRECTORY);
    const ofDirectory = nameOfDirectory(directory, workingDirectory);
    const problem = options.name === undefined ? nameProblem(ofDirectory) : undefined;
    return {
      directory,
      name: options.name ?? (problem === undefined ? ofDirectory : await dialogue.name(problem)),
      language: options.language ?? (await dialogue.choose('language')),
      template: options.template ?? (await dialogue.choose('template')),
    };
  } finally {
    dialogue.close();
  }
}
