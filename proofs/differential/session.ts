/** Compares many generated cases and collects the differences, shrunk. */
import './quiet.js';
import express from 'express';
import web from 'ristretto';
import type { Web } from '../../packages/engine/test/support/oracle.js';
import { Comparison } from './compare.js';
import type { CompareOptions, Difference } from './compare.js';
import type { Case } from './description.js';
import { makeFiles } from '../../packages/engine/test/support/files.js';
import { makeCase } from './generate-case.js';
import { Random } from '../../packages/engine/test/support/random.js';
import { shrink } from './shrink.js';

export interface Finding {
  /** `--cases 1 --seed <number>` runs it again. */
  seed: number;
  description: Case;
  shrunk: Case;
  difference: Difference;
}

export interface Session {
  cases: number;
  seed: number;
  /** Stop after this many differences. */
  most?: number;
  /** Compare the oracle with itself: any difference is a fault of the test suite. */
  self?: boolean;
  /** The frameworks to compare; Express 4 and ristretto by default. */
  versions?: Versions;
  onFinding?: (finding: Finding) => void;
}

/** A version of the API: our framework, the oracle, the generator of its cases, and how they are compared. */
export interface Versions extends Omit<CompareOptions, 'isAlone'> {
  ours: Web;
  theirs: Web;
  makeCase: (seed: number) => Case;
  /** The command that runs a single case again. */
  command: string;
}

const express4: Versions = {
  ours: web as unknown as Web,
  theirs: express,
  makeCase,
  command: 'npm run differential --',
};

/** Runs without the error log: frameworks log the errors to which they respond with a page. */
async function quietly<T>(run: () => Promise<T>): Promise<T> {
  const log = console.error;
  console.error = () => undefined;
  try {
    return await run();
  } finally {
    console.error = log;
  }
}

/** Whether the differences are of the same kind: shrinking must not switch to another. */
function sameKind(one: Difference, other: Difference | undefined): boolean {
  return one.what === other?.what;
}

interface Numbered {
  seed: number;
  description: Case;
}

export interface Outcome {
  /** The number of compared requests. */
  requests: number;
  /** The number of requests that got no response from either framework. */
  unanswered: number;
  findings: Finding[];
  /** The differences that did not occur again when the case ran alone with more time. */
  passing: { seed: number; what: string }[];
}

/** Compares cases one after another. A difference is a finding if it also occurs when the case runs alone. */
class Run {
  private readonly files = makeFiles();
  private readonly versions: Versions;
  private readonly comparison: Comparison;
  /** The current comparison. */
  private current: Comparison;
  private previous: Numbered | undefined;
  readonly outcome: Outcome = { requests: 0, unanswered: 0, findings: [], passing: [] };

  constructor(private readonly session: Session) {
    this.versions = session.versions ?? express4;
    this.current = this.comparison = this.compare(false);
  }

  private compare(isAlone: boolean): Comparison {
    const { ours, theirs } = this.versions;
    const options = { ...this.versions, isAlone };
    return new Comparison(this.session.self ? theirs : ours, theirs, this.files, options);
  }

  async run(): Promise<Outcome> {
    const { session, outcome } = this;
    const crashed = (error: unknown) => this.current.crashed(error);
    // The test runner's own listener would take an exception that the oracle throws between two cases for a failure.
    const listeners = process.rawListeners('uncaughtException') as NodeJS.UncaughtExceptionListener[];
    process.removeAllListeners('uncaughtException').on('uncaughtException', crashed);
    await this.comparison.start();
    const seeds = new Random(session.seed);
    for (let index = 0; index < session.cases && outcome.findings.length < (session.most ?? 10); index++) {
      // A single case is identified by its own seed.
      const seed = session.cases === 1 ? session.seed : seeds.seed();
      await this.check({ seed, description: this.versions.makeCase(seed) });
    }
    if ((await this.comparison.throwsLate()) && this.previous) await this.confirm([this.previous], 'crash');
    this.comparison.stop();
    process.off('uncaughtException', crashed);
    for (const listener of listeners) process.on('uncaughtException', listener);
    return { ...outcome, unanswered: this.comparison.unanswered };
  }

  private async check(one: Numbered): Promise<void> {
    const { outcome, previous } = this;
    outcome.requests += one.description.requests.length;
    this.previous = one;
    const difference = await this.comparison.difference(one.description);
    if (!difference) return;
    // The exception may have been caused by the previous case.
    const suspects = difference.what === 'crash' && previous ? [one, previous] : [one];
    await this.confirm(suspects, difference.what);
  }

  /**
   * Records the first suspect that also differs alone as a finding. If there is none, records the first suspect as
   * passing.
   */
  private async confirm(suspects: Numbered[], what: string): Promise<void> {
    for (const suspect of suspects) {
      const { difference, hasOracleCrashed } = await this.alone(suspect.description);
      if (difference) return this.found(suspect, difference);
      if (hasOracleCrashed) return;
    }
    this.outcome.passing.push({ seed: suspects[0]!.seed, what });
  }

  /** Returns the difference that occurs while nothing else runs. */
  private async alone(description: Case): Promise<{ difference?: Difference; hasOracleCrashed: boolean }> {
    const alone = (this.current = this.compare(true));
    await alone.start();
    const difference = await alone.difference(description);
    alone.stop();
    this.current = this.comparison;
    return { ...(difference && { difference }), hasOracleCrashed: alone.hasOracleCrashed };
  }

  private async found({ seed, description }: Numbered, difference: Difference): Promise<void> {
    const shrunk = await shrink(description, async smaller =>
      sameKind(difference, await this.comparison.difference(smaller)),
    );
    const { difference: last } = await this.alone(shrunk);
    const finding =
      last && sameKind(difference, last)
        ? { seed, description, shrunk, difference: last }
        : { seed, description, shrunk: description, difference };
    this.outcome.findings.push(finding);
    this.session.onFinding?.(finding);
  }
}

/** Formats the differences that occurred only once. */
export function reportPassing({ passing }: Outcome): string {
  return passing
    .map(({ seed, what }) => `case ${seed}: ${what} differed once, not when run alone`)
    .join('\n');
}

/** Runs the session. Returns the number of comparisons and the findings. */
export function runSession(session: Session): Promise<Outcome> {
  return quietly(() => new Run(session).run());
}

/** Returns a finding as text. */
export function report({ seed, shrunk, difference }: Finding, { command } = express4): string {
  return [
    `── case ${seed}: ${difference.what} differs, also when run alone: ${command} --cases 1 --seed ${seed}`,
    JSON.stringify(shrunk),
    `request: ${JSON.stringify(difference.request)}`,
    `ours:   ${JSON.stringify(difference.ours, null, 1)}`,
    `theirs: ${JSON.stringify(difference.theirs, null, 1)}`,
  ].join('\n');
}
