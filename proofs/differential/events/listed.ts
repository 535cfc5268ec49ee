/** Differences that docs/DIFFERENCES.md lists: the lines of a log that a row covers are ignored on both sides. */
import { difference } from './compare.js';
import type { Difference } from './compare.js';
import type { Outcome, Program } from './program.js';

interface Outcomes {
  ours: Outcome;
  theirs: Outcome;
}

interface Listed {
  /** The row of docs/DIFFERENCES.md. */
  row: string;
  concerns(program: Program, outcomes: Outcomes): boolean;
  /** The lines to ignore; if not set, nothing of the program is compared. */
  lines?: RegExp;
}

const has = (value: unknown, text: RegExp): boolean => text.test(JSON.stringify(value));

const LISTED: Listed[] = [
  {
    row: 'Callback of `res.sendFile` and `res.download`; events `pipe` and `unpipe` of a response that sends a file',
    concerns: sendsFile,
    lines: /^#\d+ (?:callback file|event res\.(?:un)?pipe )/,
  },
  {
    row: 'The same, where a listener for `pipe` or `unpipe` does something itself',
    concerns: program =>
      sendsFile(program) &&
      has([program.first, program.handlers], /"on":"res\.(?:un)?pipe"(?:,"how":"\w+")?,"steps":/),
  },
  {
    row: '`res.send` of a `Uint8Array` or another view',
    concerns: ({ handlers }) => has(handlers, /"call":"res\.send","args":\[\{"\$":"bytes"/),
  },
  {
    row: 'A connection error during `res.sendFile` without a callback',
    concerns: (program, { theirs }) =>
      has(
        program.handlers,
        /"call":"res\.(?:sendFile|sendfile|download)","args":\[(?:(?!"callback").)*?\]\}/,
      ) && theirs.received.some(text => text.includes('HTTP/1.1 400 Bad Request')),
  },
  {
    row: 'A file whose header block can’t be made, or that a patched function fails to send',
    concerns: (program, outcomes) => sendsFile(program) && crashOf(outcomes.theirs) !== undefined,
  },
  {
    row: 'Functions of Node’s that a tool has patched',
    concerns: isPatched,
    lines: /^#\d+ calls /,
  },
  {
    row: '`res.cork()` before a file, where responses are pipelined',
    concerns: program => sendsFile(program) && has(program.handlers, /"call":"res\.cork"/),
  },
  {
    row: '`end` of Node’s own prototype, patched after a wrapper has kept `res.end`',
    concerns: ({ handlers }) =>
      has(handlers, /"target":"instance","of":"res","member":"end","how":"collect"/) &&
      has(handlers, /"target":"runtime","of":"res","member":"end"/),
  },
  {
    row: 'A patched `writeHead` that does not call the original',
    concerns: program =>
      has(program, /"member":"(?:writeHead|_implicitHeader|_storeHeader)","how":"skip-first"/),
  },
  {
    row: '`resume` of an unread request, in the tick in which its response closes',
    concerns: ({ handlers }) => has(handlers, /"on":"req\.resume"/),
    lines: /^#\d+ event req\.resume /,
  },
  {
    row: 'A `Trailer` header on a response that ends with the default error or 404 page',
    concerns: (_program, { theirs }) => theirs.log.includes('uncaught Error ERR_HTTP_TRAILER_INVALID'),
  },
  {
    row: 'The default error or 404 page, if another response is sent before the request has ended, or a header can’t be sent',
    concerns: ({ handlers }, { ours, theirs }) =>
      crashesOf(ours).length < crashesOf(theirs).length &&
      (has(handlers, /"(?:next|throw)":/) ||
        ours.log.some(line => line.includes(' throws ')) ||
        ours.received.some(text => text.includes("default-src 'none'"))),
  },
  {
    row: 'An error after a complete response, or in a pipelined one',
    concerns: endsThere,
  },
  {
    row: '`res.status(NaN)` followed by an error: ends the process there, 500 here',
    concerns: ({ handlers }, { theirs }) =>
      has(handlers, /"NaN"/) && theirs.log.some(line => /^uncaught | res\{number NaN .*finished/.test(line)),
  },
];

/** Whether the oracle ended a connection after a late error, and this framework went on. */
function endsThere({ handlers }: Program, { ours, theirs }: Outcomes): boolean {
  // One that was thrown before may also arrive behind the response: a pipe may end that meanwhile
  const hasError = has(handlers, /"(?:next|throw)":/) || ours.log.some(line => line.includes(' throws '));
  if (!hasError || !theirs.received.some(text => ENDED.test(text))) return false;
  if (requestsIn(ours) > requestsIn(theirs)) return true;
  return ours.received.some((text, at) => {
    const [before, after] = comparable(theirs.received[at] ?? '').split(ENDED);
    return (
      after !== undefined && comparable(text).startsWith(before!.trimEnd()) && text !== theirs.received[at]
    );
  });
}

/** A client that is still sending gets an error in place of the end. */
const ENDED = /\[(?:ended by the server|EPIPE|ECONNRESET)\]/;

/** The number of requests that reached a handler. */
function requestsIn({ log }: Outcome): number {
  return log.filter(line => /^#\d+ [A-Z-]+ \//.test(line)).length;
}

/** Without what always differs, and without empty lines. */
function comparable(received: string): string {
  return received.replace(/^(?:Date|X-Powered-By): .*$/gm, '').replace(/\n+/g, '\n');
}

function sendsFile({ handlers }: Program): boolean {
  return has(handlers, /"call":"res\.(?:sendFile|sendfile|download)"/);
}

/** Whether the program replaces functions, or inserts a class below the prototypes. */
function isPatched({ handlers, first, preload, wrappers, beneath }: Program): boolean {
  return preload.length + wrappers.length + beneath.length > 0 || has([first, handlers], /"wrap":/);
}

function crashesOf({ log }: Outcome): string[] {
  return log.filter(line => line.startsWith('uncaught '));
}

/** Returns the uncaught exception that ends the process. */
function crashOf(outcome: Outcome): string | undefined {
  return crashesOf(outcome)[0];
}

/**
 * Returns the first difference that is not listed; undefined if there is none. A crash of this framework alone is never
 * listed.
 * @param ignored additional text to remove from each line
 */
export function unlisted(program: Program, outcomes: Outcomes, ignored?: RegExp): Difference | undefined {
  const { ours, theirs } = outcomes;
  const crash = crashOf(ours);
  // Beyond an error after a complete response, the oracle does not see the rest of the connection
  const isUnseen = requestsIn(ours) > requestsIn(theirs) && endsThere(program, outcomes);
  if (crash !== undefined && crashOf(theirs) === undefined && !isUnseen)
    return { what: 'events', ours: crash, theirs: '(nothing)' };
  const rows = LISTED.filter(({ concerns }) => concerns(program, outcomes));
  if (rows.some(({ lines }) => lines === undefined)) return undefined;
  const without = (outcome: Outcome): Outcome => ({
    ...outcome,
    log: outcome.log.filter(line => !rows.some(({ lines }) => lines!.test(line))),
  });
  return difference(without(ours), without(theirs), ignored);
}
