/**
 * What is known of Node's inside: members that it stores under symbols which only their descriptions distinguish, whether a function is
 * Node's own, and how each version behaves.
 */

import { createHash } from 'node:crypto';
import { IncomingMessage } from 'node:http';

/** Returns the symbol with this description among an object's own keys, or undefined if there is none. */
export function symbolNamed(of: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(of).find(({ description }) => description === name);
}

/** Returns the value under a symbol with this description, or undefined if there is none. */
export function undocumented<Value>(of: object, name: string): Value | undefined {
  const symbol = symbolNamed(of, name);
  return symbol && (of as Record<symbol, Value>)[symbol];
}

/** The modules of Node that define the functions. Other modules of Node create wrappers, such as `mock.method`. */
const NODES = /^node:(?:_http_\w+|events|internal\/streams\/\w+)$/;

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Whether functions are Node's own. A tool may have patched one before the framework was loaded, and expects its wrapper to be called.
 *
 * The source of a wrapper may contain anything, so a function is also called, with an object that throws when one of
 * its properties is read: at that point, nothing but Node's modules may be on the call stack. This does not compare
 * versions, and nothing has happened by then.
 *
 * @param functions the functions by name
 * @param words for each name, a word in the source of Node's function. Most wrappers lack it, and are not called
 */
export function areNative<Name extends string>(
  functions: Record<Name, unknown>,
  words: Record<Name, string>,
): boolean {
  const names = Object.keys(words) as Name[];
  return names.every(name => mentions(functions[name], words[name])) && runAlone(functions, names);
}

function mentions(fn: unknown, word: string): boolean {
  return typeof fn === 'function' && Function.prototype.toString.call(fn).includes(word);
}

/** Whether each function reads its first property with only Node's own functions on the call stack. */
function runAlone<Name extends string>(functions: Record<Name, unknown>, names: Name[]): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  try {
    Error.stackTraceLimit = Infinity;
    Error.prepareStackTrace = (_error, sites) => sites;
    return names.every(name => {
      const files = filesOnStack(functions[name] as AnyFunction, name.endsWith('Socket'));
      return files.length > 0 && files.every(file => NODES.test(file));
    });
  } catch {
    // The global `Error` is frozen, or replaced.
    return false;
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
    Reflect.set(Error, 'prepareStackTrace', prepareStackTrace);
  }
}

/** Returns the files whose functions are on the call stack, down to this one, when a function reads a property. */
function filesOnStack(fn: AnyFunction, takesSocket: boolean): string[] {
  let sites: NodeJS.CallSite[] = [];
  const read = (): never => {
    sites = sitesBelow(read);
    throw new Error('Expected a request or response: this is a check for patched functions');
  };
  const depth = sitesBelow(filesOnStack).length + 1;
  const unreadable = new Proxy({}, { get: read });
  try {
    // These arguments are valid as a status, name or chunk, and as a listener, so the function gets to its first read.
    fn.call(unreadable, takesSocket ? unreadable : '200', () => undefined);
  } catch {
    // Reading always throws.
  }
  return sites.slice(0, -depth).map(site => site.getFileName() ?? '');
}

function sitesBelow(fn: (...args: never[]) => unknown): NodeJS.CallSite[] {
  const holder: { stack?: NodeJS.CallSite[] } = {};
  Error.captureStackTrace(holder, fn);
  return holder.stack ?? [];
}

/** How Node ends a request. */
export interface NativeEnd {
  /** The number of ticks from `end` until the request is closed, usually 0. */
  ticksToClosed: number;
  /** The number of further ticks until `close` is emitted. */
  ticksToClose: number;
  /** The value of `readableFlowing` after the end of an unread request. */
  flowing: boolean | null;
}

/** The observed behaviour of one version. */
interface VerifiedNode {
  requestEnd: NativeEnd;
}

const OLDER: NativeEnd = { ticksToClosed: 1, ticksToClose: 1, flowing: true };
const NEWER: NativeEnd = { ticksToClosed: 0, ticksToClose: 1, flowing: null };

/**
 * How requests end, by the digests of Node's `_dump` and `_destroy`. Not by version: a minor release of an older major gets what a
 * newer one has had for months, so that the next release of any major may end requests in another way than its last one. Nothing is
 * tried when the framework is loaded, because Node's functions would then have seen objects of other kinds, which slows a small
 * response down by 15 %.
 */
const ENDS: Record<string, NativeEnd | undefined> = {
  '0ed5d806 dffe1091': OLDER,
  '0ed5d806 26eadb51': OLDER,
  '12cff75f bc9ddc1b': NEWER,
};

/** The majors that the tests run on. */
const MAJORS = ['20', '22', '24', '26'];

/** Returns the digest of a function's source without comments and white space. */
function digestOf(fn: unknown): string {
  const code = String(fn)
    .replace(/\/\/.*$/gm, '')
    .replace(/\s+/g, '');
  return createHash('sha1').update(code).digest('hex').slice(0, 8);
}

function verify(): VerifiedNode | undefined {
  const { bun, node, v8 } = process.versions;
  // Bun, Deno, workerd and Electron report a Node.js version too; of these, only Bun also reports Node's build of V8.
  if (bun !== undefined || !/-node\.\d+$/.test(v8) || !MAJORS.includes(node.split('.')[0]!)) return undefined;
  const { _dump, _destroy } = IncomingMessage.prototype as unknown as Record<'_dump' | '_destroy', unknown>;
  const requestEnd = ENDS[`${digestOf(_dump)} ${digestOf(_destroy)}`];
  return requestEnd && { requestEnd };
}

/** The behaviour of this version of Node; undefined if Node's own functions are to be used. */
export const verifiedNode = verify();
