/** Parses the text of a stack into frames, and folds foreign ones. */
import { frameworkRoot, isFramework, placeIn } from './place';
import type { Place } from './place';

/** One call in a stack. */
export interface Frame {
  /** The call as V8 formats it, without `at`. */
  text: string;
  /** The name of the function; empty if it has none. */
  name: string;
  place: Place | undefined;
  /** The origin of the code: `ristretto`, `Node.js` or a package; undefined for the program's own. */
  origin: string | undefined;
}

/** A parsed stack. */
export interface Stack {
  /** The text before the first call: name and message. */
  head: string;
  frames: Frame[];
  /** Whether it contains nothing else. Tools may join several stacks into one text. */
  isWhole: boolean;
}

/** The maximum number of frames parsed. V8 records 10 by default. */
const MOST_FRAMES = 200;

const AT = '\n    at ';

/**
 * Parses the text of a stack.
 * @param message the error's message, in which lines that look like calls are ignored
 */
export function parseStack(stack: string, message: string): Stack {
  const begin = message === '' ? -1 : stack.indexOf(message);
  const first = stack.indexOf(AT, begin < 0 ? 0 : begin + message.length);
  if (first < 0) return { head: stack, frames: [], isWhole: true };
  const root = frameworkRoot();
  const lines = stack.slice(first + 1).split('\n', MOST_FRAMES + 1);
  const calls = lines.slice(0, MOST_FRAMES).filter(line => line.startsWith('    at '));
  const frames = calls.map(line => readFrame(line.slice(7), root));
  return { head: stack.slice(0, first), frames, isWhole: frames.length === lines.length };
}

function readFrame(text: string, root: string | undefined): Frame {
  const name = text.endsWith(')') ? text.slice(0, text.indexOf(' (')).replace('<anonymous>', '') : '';
  const place = placeOfCall(text);
  return { text, name, place, origin: originOf(text, place, root) };
}

function placeOfCall(text: string): Place | undefined {
  try {
    return placeIn(text);
  } catch {
    // A URL that cannot be converted to a path, such as one with a host
    return undefined;
  }
}

function originOf(text: string, place: Place | undefined, root: string | undefined): string | undefined {
  // `Array.map (<anonymous>)`, `async Promise.all (index 0)`
  if (place === undefined) return text.includes('(eval at ') || text.includes('://') ? undefined : 'Node.js';
  if (place.file.startsWith('node:')) return 'Node.js';
  if (root !== undefined && isFramework(place.file, root)) return 'ristretto';
  return /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(place.file)?.[1]?.replace('\\', '/');
}

/**
 * Formats a summary such as `6 frames of ristretto and Node.js`. @param frames at least one, none of them the program's
 */
export function describeFrames(frames: readonly Frame[]): string {
  const origins = [...new Set(frames.map(({ origin }) => origin))];
  const [last, ...others] = origins.reverse();
  const names = others.length === 0 ? last! : `${others.reverse().join(', ')} and ${last!}`;
  return `${frames.length} ${frames.length === 1 ? 'frame' : 'frames'} of ${names}`;
}

/**
 * Returns the calls of the program, those of packages that they called, and one line for all others; all calls if none is the
 * program's.
 */
export function foldFrames(frames: readonly Frame[]): string[] {
  const first = frames.findIndex(({ origin }) => origin === undefined);
  if (first < 0) return frames.map(({ text }) => text);
  const isKept = ({ origin }: Frame, at: number): boolean =>
    origin === undefined || (at < first && origin !== 'ristretto' && origin !== 'Node.js');
  const folded = frames.filter((frame, at) => !isKept(frame, at));
  return [
    ...frames.filter(isKept).map(({ text }) => text),
    ...(folded.length > 0 ? [`… ${describeFrames(folded)}`] : []),
  ];
}

/** Returns the stack with its calls folded; unchanged if the text is not a single stack. */
export function foldStack(stack: string, message: string): string {
  const { head, frames, isWhole } = parseStack(stack, message);
  if (!isWhole) return stack;
  return [head, ...foldFrames(frames).map(text => `    at ${text}`)].join('\n');
}
