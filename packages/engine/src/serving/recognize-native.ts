/**
 * Recognizes Node's own functions. A tool may have patched one before the framework was loaded, and expects its wrapper
 * to be called.
 */

/** The modules of Node that the functions are in. Others of Node create wrappers, such as those of `mock.method`. */
const NODES = /^node:(?:_http_\w+|events|internal\/streams\/\w+)$/;

type AnyFunction = (...args: unknown[]) => unknown;

/**
 * Whether functions are Node's own.
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
    // These arguments pass the checks before the first read: a status, name or chunk, and a listener.
    fn.call(unreadable, takesSocket ? unreadable : '200', () => undefined);
  } catch {
    // Always.
  }
  return sites.slice(0, -depth).map(site => site.getFileName() ?? '');
}

function sitesBelow(fn: (...args: never[]) => unknown): NodeJS.CallSite[] {
  const holder: { stack?: NodeJS.CallSite[] } = {};
  Error.captureStackTrace(holder, fn);
  return holder.stack ?? [];
}
