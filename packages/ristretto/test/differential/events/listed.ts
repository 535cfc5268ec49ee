/** Differences that docs/DIFFERENCES.md lists: programs in which they show are not compared any further. */
import type { Difference } from './compare.js';
import type { Outcome, Program } from './program.js';

interface Listed {
  /** The row of docs/DIFFERENCES.md. */
  row: string;
  isIt(program: Program, outcomes: { ours: Outcome; theirs: Outcome }, found: Difference): boolean;
}

const has = (value: unknown, text: RegExp): boolean => text.test(JSON.stringify(value));

const LISTED: Listed[] = [
  {
    row: 'Files are sent without a stream: callbacks when the response has finished, no `pipe` and `unpipe`',
    isIt: (program, _outcomes, { what }) =>
      what === 'events' && has(program.handlers, /"call":"res\.(?:sendFile|sendfile|download)"/),
  },
  {
    row: 'Functions that tools have patched: called at their own time, and so seen in another state or order',
    isIt: (program, _outcomes, { what }) => what === 'events' && isPatched(program),
  },
  {
    row: 'Functions that a tool replaces by ones that throw, or do nothing, at first',
    isIt: program => isPatched(program) && has(program, /"how":"(?:skip|throw)-first"/),
  },
  {
    row: '`resume` of a request that was not read: not emitted to those who listen in that turn',
    isIt: (program, _outcomes, { what, theirs }) =>
      what === 'events' && theirs.includes('event req.resume') && has(program.handlers, /"on":"req\.resume"/),
  },
  {
    row: '`res.status(NaN)` followed by an error: ends the process there, 500 here',
    isIt: (program, { theirs }) =>
      JSON.stringify(program.handlers).includes('"NaN"') &&
      theirs.log.includes('uncaught RangeError ERR_HTTP_INVALID_STATUS_CODE'),
  },
];

/** Whether the program replaces functions, or puts a class beneath the prototypes. */
function isPatched({ handlers, preload, wrappers, beneath }: Program): boolean {
  return preload.length + wrappers.length + beneath.length > 0 || has(handlers, /"wrap":/);
}

/** The row of the documentation that a difference falls under. */
export function listedAs(
  program: Program,
  outcomes: { ours: Outcome; theirs: Outcome },
  found: Difference,
): string | undefined {
  return LISTED.find(({ isIt }) => isIt(program, outcomes, found))?.row;
}
