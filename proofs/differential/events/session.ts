/** Compares many generated programs and collects the kinds of differences, each with its smallest program. */
import { makeFiles } from '../../../packages/engine/test/support/files.js';
import { Random } from '../../../packages/engine/test/support/random.js';
import { shrink } from '../shrink.js';
import { difference, kindOf } from './compare.js';
import type { Difference } from './compare.js';
import { makeProgram } from './generate.js';
import { unlisted } from './listed.js';
import { print } from './print.js';
import type { Outcome, Program } from './program.js';
import { Side } from './side.js';

export { kindOf };

export interface Finding {
  seed: number;
  program: Program;
  shrunk: Program;
  difference: Difference;
  outcomes: { ours: Outcome; theirs: Outcome };
  /** How many programs differ this way. */
  times: number;
}

export interface Session {
  cases: number;
  seed: number;
  /** Stop after this many kinds of differences. */
  most?: number;
  /** Compare the oracle with itself: any difference is a fault of the test suite. */
  self?: boolean;
  /** Exclude this from the comparison, to see what else differs. */
  ignored?: RegExp;
  onFinding?: (finding: Finding) => void;
}

/** How often the oracle repeats a program that differs, to detect that it differs from itself. */
const REPEATS = 10;
/** The factor for the time limits of a program that runs alone. */
const ALONE = 4;

/** Both frameworks, each in its own process. */
class Pair {
  private readonly ours: Side;
  private readonly theirs: Side;
  /** How many programs the oracle did not run the same way twice; these are not compared. */
  unstable = 0;
  /** The number of programs that differed once, but not when run alone with more time. */
  passing = 0;

  constructor(
    private readonly self: boolean,
    private readonly ignored: RegExp | undefined,
  ) {
    const files = makeFiles();
    this.ours = new Side(self ? 'express' : 'ristretto', files);
    this.theirs = new Side('express', files);
  }

  async run(program: Program): Promise<{ ours: Outcome; theirs: Outcome; found: Difference | undefined }> {
    const [ours, theirs] = await Promise.all([this.ours.run(program), this.theirs.run(program)]);
    const found = unlisted(program, { ours, theirs }, this.ignored);
    const isUnstable = found !== undefined && !this.self && (await this.isUnstable(program, theirs));
    return { ours, theirs, found: isUnstable ? undefined : found };
  }

  /**
   * Runs the program like `run`, and confirms a difference in new processes, one after the other and with more time.
   */
  async confirmed(
    program: Program,
  ): Promise<{ ours: Outcome; theirs: Outcome; found: Difference | undefined }> {
    const first = await this.run(program);
    if (!first.found) return first;
    this.stop();
    const ours = await this.ours.run(program, ALONE);
    this.ours.stop();
    const theirs = await this.theirs.run(program, ALONE);
    this.theirs.stop();
    const found = unlisted(program, { ours, theirs }, this.ignored);
    if (!found) this.passing++;
    return { ours, theirs, found };
  }

  /** Returns whether the outcome varies between runs, as the order of events after an uncaught exception does. */
  private async isUnstable(program: Program, theirs: Outcome): Promise<boolean> {
    for (let i = 0; i < REPEATS; i++) {
      if (difference(await this.theirs.run(program), theirs, this.ignored) === undefined) continue;
      this.unstable++;
      return true;
    }
    return false;
  }

  /** Ends the processes: new ones run the next program. */
  stop(): void {
    this.ours.stop();
    this.theirs.stop();
  }
}

/** Returns the seeds of the session, with programs that need the same process next to each other. */
function seedsOf({ cases, seed }: Session): number[] {
  if (cases === 1) return [seed];
  const source = new Random(seed);
  const groups = new Map<string, number[]>();
  for (let left = cases; left > 0; left--) {
    const one = source.seed();
    const preload = JSON.stringify(makeProgram(one).preload);
    const group = groups.get(preload) ?? [];
    groups.set(preload, group);
    group.push(one);
  }
  return [...groups.values()].flat();
}

/** Runs the session; resolves with its findings by kind. */
export async function runSession(
  session: Session,
): Promise<{ findings: Finding[]; differing: number; unstable: number; passing: number }> {
  const pair = new Pair(session.self ?? false, session.ignored);
  const kinds = new Map<string, Finding>();
  let differing = 0;
  try {
    for (const seed of seedsOf(session)) {
      const program = makeProgram(seed);
      const { found, ...outcomes } = await pair.confirmed(program);
      if (!found) continue;
      differing++;
      const known = kinds.get(kindOf(found));
      if (known) known.times++;
      else {
        const finding = await smallest(pair, {
          seed,
          program,
          shrunk: program,
          difference: found,
          outcomes,
          times: 1,
        });
        kinds.set(kindOf(found), finding);
        session.onFinding?.(finding);
        if (kinds.size >= (session.most ?? 10)) break;
      }
    }
  } finally {
    pair.stop();
  }
  const { unstable, passing } = pair;
  return { findings: [...kinds.values()], differing, unstable, passing };
}

/** Returns the finding with the smallest program that differs in the same way, in new processes. */
async function smallest(pair: Pair, finding: Finding): Promise<Finding> {
  const kind = kindOf(finding.difference);
  const shrunk = await shrink(finding.program, async program => {
    const { found } = await pair.run(program);
    return found !== undefined && kindOf(found) === kind;
  });
  pair.stop();
  const { found, ...outcomes } = await pair.confirmed(shrunk);
  return found ? { ...finding, shrunk, outcomes, difference: found } : finding;
}

/** Returns a finding as text. */
export function report({ seed, shrunk, difference: { what, ours, theirs }, outcomes }: Finding): string {
  const both = (of: (outcome: Outcome) => string[]): string =>
    [
      `  ours:`,
      ...of(outcomes.ours).map(line => `    ${line}`),
      `  theirs:`,
      ...of(outcomes.theirs).map(line => `    ${line}`),
    ].join('\n');
  return [
    `── case ${seed}: ${what} differ, also when run alone: npm run differential -- --family events --cases 1 --seed ${seed}`,
    print(shrunk),
    `ours:   ${ours}`,
    `theirs: ${theirs}`,
    'received',
    both(({ end, received }) => [...received.flatMap(text => text.split(/\r?\n/)), end]),
    'log',
    both(({ log }) => log),
    JSON.stringify(shrunk),
  ].join('\n');
}
