/** Differences that docs/DIFFERENCES.md lists: programs in which they show are not compared any further. */
import type { Outcome, Program } from './program.js';

interface Listed {
  /** The row of docs/DIFFERENCES.md. */
  row: string;
  isIt(program: Program, outcomes: { ours: Outcome; theirs: Outcome }): boolean;
}

const LISTED: Listed[] = [
  {
    row: '`res.status(NaN)` followed by an error: ends the process there, 500 here',
    isIt: (program, { theirs }) =>
      JSON.stringify(program.handlers).includes('"NaN"') &&
      theirs.log.includes('uncaught RangeError ERR_HTTP_INVALID_STATUS_CODE'),
  },
];

/** The row of the documentation that a difference falls under. */
export function listedAs(program: Program, outcomes: { ours: Outcome; theirs: Outcome }): string | undefined {
  return LISTED.find(({ isIt }) => isIt(program, outcomes))?.row;
}
