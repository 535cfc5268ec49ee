/**
 * Finds the file and line where the program called the framework, for warnings and for lists of routes.
 *
 * Capturing a trace costs a few microseconds; formatting costs more, and is deferred until the place is read. This file
 * parses the text of the trace instead of V8's call sites, because source maps (TypeScript and others) apply to the
 * text.
 */
import { fileURLToPath } from 'node:url';
import { versionRoots } from '../report/development';
import { packageRoot } from '../modules';

const THIS_MODULE = 'dev/place';

/** A position in a source file. */
export interface Place {
  /** An absolute path, or V8's name for the code: `[eval]`, a URL. */
  file: string;
  line: number;
  column: number;
}

/** A captured stack, formatted when `stack` is first read. */
export interface CapturedStack {
  readonly stack?: unknown;
}

/** Deep enough for the functions of the framework and of the tools that wrap them. */
const FRAMES = 16;

/** Captures the current stack. @param frames the number of frames */
export function captureStack(frames = FRAMES): CapturedStack {
  const trace: CapturedStack = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = frames;
  Error.captureStackTrace(trace);
  Error.stackTraceLimit = stackTraceLimit;
  return trace;
}

/**
 * Returns where the program called the framework: the innermost call outside the framework, Node and, if possible,
 * installed packages.
 * @returns undefined if unknown: in a bundle, and if a tool formats traces in its own way
 */
export function placeOf({ stack }: CapturedStack): Place | undefined {
  let root: string | undefined;
  let installed: Place | undefined;
  for (const place of placesIn(stack)) {
    if (root === undefined) {
      root = packageRoot(place.file, THIS_MODULE);
      if (root === undefined) return undefined;
      continue;
    }
    // The frames below come from loading the module that contains the call.
    if (place.file.startsWith('node:internal/modules')) break;
    if (place.file.startsWith('node:') || isFramework(place.file, root)) continue;
    if (!isInstalled(place)) return place;
    installed ??= place;
  }
  return installed;
}

/** Whether a place is in an installed package, whose mistakes are not the program's. */
export function isInstalled(place: Place): boolean {
  return /[\\/]node_modules[\\/]/.test(place.file);
}

/** Returns where the program is calling the framework right now; see `placeOf`. */
export function callerPlace(): Place | undefined {
  return placeOf(captureStack());
}

/** Returns the directory of this package; undefined if unknown, as for `placeOf`. */
export function frameworkRoot(): string | undefined {
  for (const place of placesIn(captureStack().stack)) return packageRoot(place.file, THIS_MODULE);
  return undefined;
}

/** Removes the frames of the framework from a formatted stack, and those beyond the limit. */
export function withoutFramework(stack = '', limit = Infinity): string {
  const root = frameworkRoot();
  if (root === undefined) return stack;
  let frames = 0;
  const kept = stack.split('\n').filter(line => {
    const [, call] = /^ {4}at (.+)$/.exec(line) ?? [];
    if (call === undefined) return true;
    const file = placeIn(call)?.file;
    return (file === undefined || !isFramework(file, root)) && ++frames <= limit;
  });
  return kept.join('\n');
}

/**
 * Whether a file is in this package or in a version; with source maps, code in `lib` appears under file names in `src`.
 */
export function isFramework(file: string, root: string): boolean {
  return isCodeOf(root, file) || versionRoots.some(each => isCodeOf(each, file));
}

function isCodeOf(root: string, file: string): boolean {
  return file.startsWith(root) && /^[\\/](?:lib|src|traced)[\\/]/.test(file.slice(root.length));
}

/** Yields the positions in the text of a trace: `at name (/file.js:1:2)` or `at /file.js:1:2`. */
function* placesIn(stack: unknown): Generator<Place> {
  for (const [, call = ''] of String(stack).matchAll(/^ {4}at (.+)$/gm)) {
    const place = placeIn(call);
    if (place !== undefined) yield place;
  }
}

/** Parses the position in one call of a trace, the text after `at`. */
export function placeIn(call: string): Place | undefined {
  const position = call.endsWith(')') ? call.slice(call.indexOf(' (') + 2, -1) : call.replace(/^async /, '');
  const [, file, line, column] = /^(?!eval at )(.+):(\d+):(\d+)$/.exec(position) ?? [];
  if (file === undefined) return undefined;
  return { file: pathOf(file), line: Number(line), column: Number(column) };
}

/** Converts the URL of an ES module to a path. */
function pathOf(file: string): string {
  return file.startsWith('file://') ? fileURLToPath(file) : file;
}
