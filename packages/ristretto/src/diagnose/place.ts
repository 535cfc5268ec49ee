/**
 * Where a program called the framework: the file and line for warnings and for lists of routes.
 *
 * A trace costs some microseconds when it is captured; formatting it costs more, and waits until the place is asked
 * for. The text of the trace is read, not V8's objects: what maps it to TypeScript or another source language has
 * then been at work.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A position in a source file. */
export interface Place {
  /** An absolute path, or the name that V8 has for the code: `[eval]`, a URL. */
  file: string;
  line: number;
  column: number;
}

/** A captured stack; formatted when `stack` is first read. */
export interface Trace {
  readonly stack?: unknown;
}

/** Deep enough for the functions of the framework and of the tools that wrap them. */
const FRAMES = 16;

/** Notes the calls that led here. */
export function captureTrace(): Trace {
  const trace: Trace = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(trace);
  Error.stackTraceLimit = stackTraceLimit;
  return trace;
}

/**
 * Where the program called the framework: the innermost call that is neither the framework's, nor Node's, nor, if there
 * is such a one, that of an installed package.
 *
 * @returns undefined where it can't be told: in a bundle, and where a tool formats traces in its own way
 */
export function placeOf({ stack }: Trace): Place | undefined {
  let root: string | undefined;
  let installed: Place | undefined;
  for (const place of placesIn(stack)) {
    if (root === undefined) {
      // In a bundle the framework's code and the program's are in one file.
      if (!/[\\/]diagnose[\\/]place\.[jt]s$/.test(place.file)) return undefined;
      root = path.resolve(place.file, '../../..');
      continue;
    }
    // The frames below loaded the module in which the call stands.
    if (place.file.startsWith('node:internal/modules')) break;
    if (place.file.startsWith('node:') || isFramework(place.file, root)) continue;
    if (!/[\\/]node_modules[\\/]/.test(place.file)) return place;
    installed ??= place;
  }
  return installed;
}

/** Where the program is calling the framework right now; see `placeOf`. */
export function callerPlace(): Place | undefined {
  return placeOf(captureTrace());
}

/** Whether a file is this package's or a sibling's; with source maps, code in `lib` has the names of files in `src`. */
function isFramework(file: string, root: string): boolean {
  return file.startsWith(root) && /^[35]?[\\/](?:lib|src)[\\/]/.test(file.slice(root.length));
}

/** The calls in the text of a trace that have a position: `at name (/file.js:1:2)` or `at /file.js:1:2`. */
function* placesIn(stack: unknown): Generator<Place> {
  for (const [, call = ''] of String(stack).matchAll(/^ {4}at (.+)$/gm)) {
    const position = call.endsWith(')')
      ? call.slice(call.indexOf(' (') + 2, -1)
      : call.replace(/^async /, '');
    const [, file, line, column] = /^(?!eval at )(.+):(\d+):(\d+)$/.exec(position) ?? [];
    if (file !== undefined) yield { file: pathOf(file), line: Number(line), column: Number(column) };
  }
}

/** ES modules are named by URL. */
function pathOf(file: string): string {
  return file.startsWith('file://') ? fileURLToPath(file) : file;
}
