/** Compares many generated cases and collects the differences, shrunk. */
import './quiet.js';
import express from 'express';
import web from 'ristretto';
import type { Web } from '../support/oracle.js';
import { Comparison } from './compare.js';
import type { Difference } from './compare.js';
import type { Case } from './description.js';
import { makeFiles } from './files.js';
import { makeCase } from './generate-case.js';
import { Random } from './random.js';
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

/** A version of the API: our framework, the oracle, and the generator of its cases. */
export interface Versions {
  ours: Web;
  theirs: Web;
  makeCase: (seed: number) => Case;
  /** The members of a response whose callbacks run where nothing catches their errors. */
  late?: RegExp;
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

/** Runs the session; resolves with the number of requests compared, and the findings. */
export function runSession(
  session: Session,
): Promise<{ requests: number; unanswered: number; findings: Finding[] }> {
  return quietly(async () => {
    const { ours, theirs, makeCase, late } = session.versions ?? express4;
    const comparison = new Comparison(session.self ? theirs : ours, theirs, makeFiles(), late);
    await comparison.start();
    const crashed = (error: unknown) => comparison.crashed(error);
    process.on('uncaughtException', crashed);
    const seeds = new Random(session.seed);
    const findings: Finding[] = [];
    let requests = 0;
    for (let index = 0; index < session.cases && findings.length < (session.most ?? 10); index++) {
      // A single case is identified by its own seed.
      const seed = session.cases === 1 ? session.seed : seeds.seed();
      const finding = await check(comparison, seed, makeCase(seed));
      requests += finding.description.requests.length;
      if (!finding.difference) continue;
      findings.push(finding as Finding);
      session.onFinding?.(finding as Finding);
    }
    comparison.stop();
    process.off('uncaughtException', crashed);
    return { requests, unanswered: comparison.unanswered, findings };
  });
}

async function check(
  comparison: Comparison,
  seed: number,
  description: Case,
): Promise<Omit<Finding, 'difference'> & { difference?: Difference }> {
  const difference = await comparison.difference(description);
  if (!difference) return { seed, description, shrunk: description };
  const shrunk = await shrink(description, async smaller =>
    sameKind(difference, await comparison.difference(smaller)),
  );
  return { seed, description, shrunk, difference: (await comparison.difference(shrunk)) ?? difference };
}

/** Returns a finding as text. */
export function report({ seed, shrunk, difference }: Finding, { command } = express4): string {
  return [
    `── case ${seed}: ${difference.what} differs; run it alone: ${command} --cases 1 --seed ${seed}`,
    JSON.stringify(shrunk),
    `request: ${JSON.stringify(difference.request)}`,
    `ours:   ${JSON.stringify(difference.ours, null, 1)}`,
    `theirs: ${JSON.stringify(difference.theirs, null, 1)}`,
  ].join('\n');
}
