/** The main loop of the fuzzer: generates a text, runs it, and keeps it if it reached a new branch. */
import { Random } from '../../packages/engine/test/support/random.js';
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
  /** How many branches were reached, counted separately for each power of two of their executions. */
  coverage: number;
  corpus: string[];
  finding?: Finding;
}

const DEFAULT_LIMIT = 30;
/** After this many runs, prototypes are compared with their original state. */
const CHECKED_EACH = 512;
const LARGEST_CORPUS = 4000;
const TRACE = 12;
/** How often a text that took too long is run again. */
const AGAIN = 12;

/** Buckets by powers of two: one more iteration of a loop is not new coverage, twice as many are. */
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
   * @param target what to fuzz
   * @param seed for the random source: the same seed generates the same texts in the same order
   * @param before called with each text before it runs
   */
  constructor(
    private readonly target: Target,
    seed: number,
    private readonly before: (input: string) => void = () => undefined,
  ) {
    this.random = new Random(seed);
    this.mutator = new Mutator(this.random, target);
  }

  /**
   * Runs for some seconds or some number of texts, starting with the target's seeds and `texts`. With `isFixed`, only
   * these are mutated, not what reached a new branch, so that the same seed always gives the same texts.
   */
  async run(
    texts: string[],
    until: { seconds?: number; executions?: number; isFixed?: boolean },
  ): Promise<Result> {
    const end = performance.now() + (until.seconds ?? Infinity) * 1000;
    const most = until.executions ?? Infinity;
    // Most errors are expected rejections. Capturing their stacks would take most of the time.
    Error.stackTraceLimit = 0;
    const first = [...this.target.seeds, ...texts, ''];
    for (let at = 0; this.executions < most && performance.now() < end; at++) {
      const input = first[at] ?? this.next();
      const message = await this.problemWith(input);
      if (message !== undefined) return this.result(await this.explained(input, message));
      const isKept = this.hasNewCoverage() && !until.isFixed;
      if (isKept || at < this.target.seeds.length) this.keep(input);
    }
    assertUntouched();
    return this.result();
  }

  private result(finding?: Finding): Result {
    const { executions, coverage, corpus } = this;
    return { executions, coverage, corpus, ...(finding && { finding }) };
  }

  /** Returns the finding with the shortest text, and with the place of its error. */
  private async explained(input: string, message: string): Promise<Finding> {
    Error.stackTraceLimit = TRACE;
    // A problem that cannot be reproduced is reported as it was
    const again = await this.problemWith(input);
    if (again === undefined) return { input, message: `only once: ${message}` };
    const shortest = await this.shorten(input, again);
    return { input: shortest, message: (await this.problemWith(shortest)) ?? again };
  }

  /** Mutates a text of the corpus, often a recent one, because those are the least explored. */
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

  /** Runs a text; returns what is wrong, or undefined. */
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
    // Most are synchronous, so skipping the await saves time for more inputs
    if (running !== undefined) await running;
    return performance.now() - start;
  }

  /** Measures the CPU time of several runs, because other processes may have slowed down the first one. */
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

  /** Returns the shortest text with the same problem, found by removing parts. */
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

/** Returns the place of a problem: problems from the same place are of one kind. */
function kindOf(message: string): string {
  const place = /\n\s+at .*$/m.exec(message.replace(/\n\s+at .*(?:node:|node_modules).*/g, ''))?.[0];
  return place ?? message.replace(/\d+(?:\.\d+)?/g, 'n');
}
