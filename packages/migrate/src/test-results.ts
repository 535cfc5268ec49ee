/** Reads the counts that test runners print, and compares two runs. */

export interface Counts {
  passed: number;
  failed: number;
}

export interface TestRun {
  command: string;
  /** The exit code; null if a signal ended the process. */
  code: number | null;
  /** The counts that the test runner printed; undefined if they cannot be read. */
  counts: Counts | undefined;
  seconds: number;
}

export type Verdict = 'same' | 'worse' | 'better';

/** The summaries of test runners, one for each run; the counts of several runs, as in a workspace, are added up. */
const RUNNERS: readonly { passed: RegExp; failed: RegExp }[] = [
  // node:test, and other runners that print TAP
  { passed: /(?:#|ℹ) pass +(\d+)/g, failed: /(?:#|ℹ) fail +(\d+)/g },
  // Jest and Vitest
  {
    passed: /^.*\bTests:? .*?(\d+) passed/gm,
    failed: /^.*\bTests:? .*?(\d+) failed/gm,
  },
  // Mocha
  { passed: /(\d+) passing\b/g, failed: /(\d+) failing\b/g },
  // AVA
  { passed: /(\d+) tests? passed/g, failed: /(\d+) tests? failed/g },
];

/** Reads the counts from the output of any known test runner. */
export function countsIn(output: string): Counts | undefined {
  const text = output.replace(/\u001b\[[\d;]*m/g, '');
  for (const { passed, failed } of RUNNERS) {
    const [passes, failures] = [passed, failed].map(expression => [...text.matchAll(expression)]) as [
      RegExpExecArray[],
      RegExpExecArray[],
    ];
    if (passes.length > 0 || failures.length > 0) return { passed: sum(passes), failed: sum(failures) };
  }
  return undefined;
}

function sum(matches: readonly RegExpExecArray[]): number {
  return matches.reduce((total, [, count]) => total + Number(count), 0);
}

/** Compares two runs of the same tests, first by exit code, then by counts. */
export function compareRuns(before: TestRun, after: TestRun): Verdict {
  const [wasGreen, isGreen] = [before.code === 0, after.code === 0];
  if (wasGreen !== isGreen) return isGreen ? 'better' : 'worse';
  if (before.counts === undefined || after.counts === undefined) return 'same';
  const failures = after.counts.failed - before.counts.failed;
  const passes = after.counts.passed - before.counts.passed;
  if (failures > 0 || passes < 0) return 'worse';
  return failures < 0 || passes > 0 ? 'better' : 'same';
}
