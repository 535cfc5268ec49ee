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

/** Notes the calls that led here. @param frames how many of them */
export function captureTrace(frames = FRAMES): Trace {
  const trace: Trace = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = frames;
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
      root = rootOf(place);
      if (root === undefined) return undefined;
      continue;
    }
    // The frames below loaded the module in which the call stands.
    if (place.file.startsWith('node:internal/modules')) break;
    if (place.file.startsWith('node:') || isFramework(place.file, root)) continue;
    if (!isInstalled(place)) return place;
    installed ??= place;
  }
  return installed;
}

/** Whether a place is in a package that is installed: its mistakes are not the program's. */
export function isInstalled(place: Place): boolean {
  return /[\\/]node_modules[\\/]/.test(place.file);
}

/** Where the program is calling the framework right now; see `placeOf`. */
export function callerPlace(): Place | undefined {
  return placeOf(captureTrace());
}

/** The directory of this package; undefined where it can't be told, as for `placeOf`. */
export function frameworkRoot(): string | undefined {
  for (const place of placesIn(captureTrace().stack)) return rootOf(place);
  return undefined;
}

/** @param place of this file. In a bundle the framework's code and the program's are in one file */
function rootOf({ file }: Place): string | undefined {
  return /[\\/]diagnose[\\/]place\.[jt]s$/.test(file) ? path.resolve(file, '../../..') : undefined;
}

/** Whether a file is this package's or a sibling's; with source maps, code in `lib` has the names of files in `src`. */
export function isFramework(file: string, root: string): boolean {
  return file.startsWith(root) && /^[35]?[\\/](?:lib|src)[\\/]/.test(file.slice(root.length));
}

/** The calls in the text of a trace that have a position: `at name (/file.js:1:2)` or `at /file.js:1:2`. */
function* placesIn(stack: unknown): Generator<Place> {
  for (const [, call = ''] of String(stack).matchAll(/^ {4}at (.+)$/gm)) {
    const place = placeIn(call);
    if (place !== undefined) yield place;
  }
}

/** The position in one call of a trace: what stands behind `at`. */
export function placeIn(call: string): Place | undefined {
  const position = call.endsWith(')') ? call.slice(call.indexOf(' (') + 2, -1) : call.replace(/^async /, '');
  const [, file, line, column] = /^(?!eval at )(.+):(\d+):(\d+)$/.exec(position) ?? [];
  if (file === undefined) return undefined;
  return { file: pathOf(file), line: Number(line), column: Number(column) };
}

/** ES modules are named by URL. */
function pathOf(file: string): string {
  return file.startsWith('file://') ? fileURLToPath(file) : file;
}
