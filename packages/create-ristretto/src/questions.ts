/** Asks for the options that the command line does not specify. */
import { createInterface } from 'node:readline';
import { CHOICES, valueNamed, valuesOf } from './choices';
import type { Answers, Choice, Value } from './choices';
import { nameOfDirectory, nameProblem } from './names';
import type { Options } from './options';

/** Thrown if the input ends, or Ctrl-C is pressed, before all questions are answered. */
export class Cancelled extends Error {}

type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout'>;

const DIRECTORY = 'my-app';

/** Asks questions on a terminal, one after the other. */
class Dialogue {
  private readonly lines;

  constructor(private readonly terminal: Terminal) {
    this.lines = createInterface({ input: terminal.stdin, output: terminal.stdout });
  }

  /** Returns the answer, trimmed. */
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

  /**
   * Returns one of the values, chosen by name or number; Enter selects the first. Repeats the question until the answer
   * is valid.
   */
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

  /** Asks for the name of the package, if the directory's name is not valid. */
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
 * Asks for everything that the options do not specify.
 * @throws Cancelled if the user cancels
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
