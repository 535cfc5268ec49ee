/**
 * Compares what happens after an application has changed members of Node's messages: whatever the response, ours must not end
 * the process, hang or spoil the connection where Express does not.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { frameworks } from '../../../packages/engine/test/support/oracle.js';
import { Random } from '../../../packages/engine/test/support/random.js';
import { generateCase, titleOf } from './case.js';
import type { Case, Outcome } from './case.js';
import { waysOf } from './ways.js';

export interface Finding {
  one: Case;
  ours: Outcome;
  theirs: Outcome;
}

/** Milliseconds after which a request counts as unanswered: at first, and when a difference is tried again. */
const PATIENCE = { first: 250, again: 5000 };
/** How the next request on the connection is answered. */
const ORDINARY = '200 8';
const root = path.resolve(__dirname, '../../..');

class Side {
  private constructor(private readonly child: ChildProcess) {}

  static async start(framework: string, patience: number): Promise<Side> {
    const child = fork(path.join(__dirname, 'worker.ts'), [framework, String(patience)], {
      execArgv: ['--require', path.join(root, 'scripts/typescript.cjs')],
      // The response linter is not loaded: these applications break the rules on purpose
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    await once(child, 'message');
    return new Side(child);
  }

  async run(cases: Case[]): Promise<Outcome[]> {
    this.child.send(cases);
    const [outcomes] = (await once(this.child, 'message')) as [Outcome[]];
    return outcomes;
  }

  stop(): void {
    this.child.kill('SIGKILL');
  }
}

async function compare(cases: Case[], patience: number): Promise<Finding[]> {
  const sides = await Promise.all(['ristretto', 'express'].map(name => Side.start(name, patience)));
  const [ours, theirs] = await Promise.all(sides.map(side => side.run(cases)));
  for (const side of sides) side.stop();
  return cases
    .map((one, at) => ({ one, ours: ours![at]!, theirs: theirs![at]! }))
    .filter(({ ours, theirs }) => isWorse(ours, theirs));
}

function isWorse(ours: Outcome, theirs: Outcome): boolean {
  if (ours.answer === 'timeout' && theirs.answer !== 'timeout') return true;
  // With Express, the process would have ended
  if (theirs.uncaught.length > 0) return false;
  return ours.uncaught.length > 0 || (ours.next !== ORDINARY && theirs.next === ORDINARY);
}

/** Runs generated cases. */
export function runSession(session: { cases: number; seed: number }): Promise<Finding[]> {
  const random = new Random(session.seed);
  const ways = Object.keys(waysOf(frameworks.ristretto));
  return runCases(Array.from({ length: session.cases }, () => generateCase(random, ways)));
}

/** Runs cases; what differs is tried again with more time. */
export async function runCases(cases: Case[]): Promise<Finding[]> {
  const differing = await compare(cases, PATIENCE.first);
  if (differing.length === 0) return [];
  return compare(
    differing.map(({ one }) => one),
    PATIENCE.again,
  );
}

export function report({ one, ours, theirs }: Finding): string {
  const [first = ''] = ours.uncaught;
  return `${titleOf(one)}\n  ours: ${ours.answer}, ${ours.next}\n  Express: ${theirs.answer}, ${theirs.next}\n  ${first}`;
}
