/** The loop of the fuzzer: makes a text, runs it, and keeps it where it led to a branch that was not seen before. */
import { Random } from '../differential/random.js';
import { counters, used } from './instrument.js';
import { Mutator } from './mutate.js';
import { assertUntouched } from './prototypes.js';
import type { Target } from './target.js';

export interface Finding {
  input: string;
  message: string;
}

export interface Result {
  executions: number;
  /** How many branches were seen, with how often they ran in powers of two. */
  coverage: number;
  corpus: string[];
  finding?: Finding;
}

const DEFAULT_LIMIT = 30;
/** Prototypes are compared with what they were each so many runs. */
const CHECKED_EACH = 512;
const LARGEST_CORPUS = 4000;
const TRACE = 12;
/** So often a text is run that took too long. */
const AGAIN = 12;

/** Counts by powers of two: running a loop once more is nothing new, running it twice as often is. */
const BUCKET = Uint8Array.from({ length: 256 }, (_, count) =>
  count === 0 ? 0 : 1 << Math.min(7, Math.floor(Math.log2(count))),
);

export class Fuzzer {
  executions = 0;
  coverage = 0;
  readonly corpus: string[] = [];
  private readonly seen = new Uint8Array(counters.length);
  private readonly random: Random;
  private readonly mutator: Mutator;

  /**
   * @param target what is fuzzed
   * @param seed for the random source: the same one makes the same texts in the same order
   * @param before is told each text that is about to run
   */
  constructor(
    private readonly target: Target,
    seed: number,
    private readonly before: (input: string) => void = () => undefined,
  ) {
    this.random = new Random(seed);
    this.mutator = new Mutator(this.random, target);
  }

  /** Runs for some seconds, or some number of texts, from `texts` and the target's seeds on. */
  async run(texts: string[], until: { seconds?: number; executions?: number }): Promise<Result> {
    const end = performance.now() + (until.seconds ?? Infinity) * 1000;
    const most = until.executions ?? Infinity;
    // Most errors are refusals that nobody looks at; to find out where they were made takes most of the time.
    Error.stackTraceLimit = 0;
    const first = [...this.target.seeds, ...texts, ''];
    for (let at = 0; this.executions < most && performance.now() < end; at++) {
      const input = first[at] ?? this.next();
      const message = await this.problemWith(input);
      if (message !== undefined) return this.result(await this.explained(input, message));
      if (this.hasNewCoverage() || at < this.target.seeds.length) this.keep(input);
    }
    assertUntouched();
    return this.result();
  }

  private result(finding?: Finding): Result {
    const { executions, coverage, corpus } = this;
    return { executions, coverage, corpus, ...(finding && { finding }) };
  }

  /** The finding with as little text as will do, and with the place where it is noticed. */
  private async explained(input: string, message: string): Promise<Finding> {
    Error.stackTraceLimit = TRACE;
    // what does not happen again is told as it was
    const again = await this.problemWith(input);
    if (again === undefined) return { input, message: `only once: ${message}` };
    const shortest = await this.shorten(input, again);
    return { input: shortest, message: (await this.problemWith(shortest)) ?? again };
  }

  /** Mostly made of what was found last: the way on from there has not been looked for yet. */
  private next(): string {
    const { corpus, random } = this;
    const recent = random.chance(0.3) ? Math.max(0, corpus.length - 20) : 0;
    const text = corpus[random.between(recent, corpus.length - 1)]!;
    return this.mutator.mutate(text, random.pick(corpus));
  }

  private keep(input: string): void {
    if (this.corpus.length < LARGEST_CORPUS) this.corpus.push(input);
    else this.corpus[this.random.between(0, LARGEST_CORPUS - 1)] = input;
  }

  /** Runs a text; what is wrong, or undefined. */
  private async problemWith(input: string): Promise<string | undefined> {
    this.executions++;
    this.before(input);
    counters.fill(0, 0, used);
    try {
      if ((await this.timeOf(input)) > this.limit) return await this.slowness(input);
      if (this.executions % CHECKED_EACH === 0) assertUntouched();
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    return undefined;
  }

  private get limit(): number {
    return this.target.limit ?? DEFAULT_LIMIT;
  }

  private async timeOf(input: string): Promise<number> {
    const start = performance.now();
    const running = this.target.run(input);
    // most are done: each turn of the loop that is not waited for is one more text
    if (running !== undefined) await running;
    return performance.now() - start;
  }

  /** Other programs may have taken the time: what counts is how long the processor works on it, again and again. */
  private async slowness(input: string): Promise<string | undefined> {
    let fastest = Infinity;
    for (let again = 0; again < AGAIN && fastest > this.limit; again++) {
      const before = process.cpuUsage();
      await this.timeOf(input);
      const { user, system } = process.cpuUsage(before);
      fastest = Math.min(fastest, (user + system) / 1000);
    }
    return fastest > this.limit ? `takes ${fastest.toFixed(1)} ms` : undefined;
  }

  private hasNewCoverage(): boolean {
    const { seen } = this;
    let isNew = false;
    for (let at = 0; at < used; at++) {
      if (counters[at] === 0) continue;
      const bucket = BUCKET[counters[at]!]!;
      if ((seen[at]! & bucket) !== 0) continue;
      seen[at]! |= bucket;
      this.coverage++;
      isNew = true;
    }
    return isNew;
  }

  /** The same problem with as little text as can be had by leaving pieces out. */
  private async shorten(input: string, message: string): Promise<string> {
    let shortest = input;
    const kind = kindOf(message);
    for (let size = Math.ceil(input.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < shortest.length;) {
        const shorter = shortest.slice(0, at) + shortest.slice(at + size);
        const problem = await this.problemWith(shorter);
        if (problem !== undefined && kindOf(problem) === kind) shortest = shorter;
        else at += size;
      }
    }
    return shortest;
  }
}

/** Two problems are of one kind when they come from the same place. */
function kindOf(message: string): string {
  const place = /\n\s+at .*$/m.exec(message.replace(/\n\s+at .*(?:node:|node_modules).*/g, ''))?.[0];
  return place ?? message.replace(/\d+(?:\.\d+)?/g, 'n');
}
