/**
 * Modules that requests may need, but the start does not: they are loaded when the start is over, before the first
 * request is read. Loading one while a request runs could fail, when all file descriptors are in use or `npm ci` has
 * just removed the package, in places where nothing catches the error.
 */
import { setImmediate, setTimeout } from 'node:timers';

const waiting: (() => void)[] = [];
let isStarting = true;

/**
 * Defers the loading of a module until the start is over. After the start, loads it at once: so that a failure is thrown
 * to whoever sets up an application, and not while a request runs.
 *
 * @param load calls `require` with a literal path, which bundlers find
 * @param isNeeded whether to load it at all, by default always; warnings, for instance, are loaded only in development
 * @returns a function that returns the module, and loads it if that has not happened yet
 * @example
 * const cookie = deferred(() => require('cookie') as CookieModule);
 * cookie().parse('a=b');
 */
export function deferred<Module>(load: () => Module, isNeeded = (): boolean => true): () => Module {
  let loaded: Module | undefined;
  const get = (): Module => (loaded ??= load());
  const prepare = (): void => {
    if (isNeeded()) get();
  };
  if (isStarting) waiting.push(prepare);
  else prepare();
  return get;
}

/** Loads what is deferred now: for requests that do not come from a socket, which can precede the end of the start. */
export function loadDeferred(): void {
  // A module may defer others
  for (let prepare = waiting.shift(); prepare !== undefined; prepare = waiting.shift()) prepare();
  isStarting = false;
}

// Neither keeps a program running that serves nothing. The timer loads the modules even if no client connects; if one
// does at once, the immediate precedes the reading of its first request.
try {
  setTimeout(loadDeferred, 0).unref();
  setImmediate(loadDeferred).unref();
} catch {
  // workerd has no timers until the first request, which loads what is left
}
