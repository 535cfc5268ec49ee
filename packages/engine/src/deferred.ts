/**
 * Modules that requests may need but startup does not. They are loaded when startup is over, before the first request
 * is read. Loading one during a request could fail where nothing catches the error: when all file descriptors are in
 * use, or when `npm ci` has just removed the package.
 */
import { setImmediate, setTimeout } from 'node:timers';

const waiting: (() => void)[] = [];
let isStarting = true;

/**
 * Defers the loading of a module until startup is over. After startup, loads it at once, so that a failure is thrown
 * to the code that sets up an application, and not during a request.
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

/** Loads deferred modules now, for requests that do not come from a socket: these can arrive before startup is over. */
export function loadDeferred(): void {
  // A module may defer others
  for (let prepare = waiting.shift(); prepare !== undefined; prepare = waiting.shift()) prepare();
  isStarting = false;
}

// A program that serves nothing can still exit. The timer loads the modules even if no client connects; if one does
// at once, the immediate precedes the reading of its first request.
try {
  setTimeout(loadDeferred, 0).unref();
  setImmediate(loadDeferred).unref();
} catch {
  // workerd has no timers before the first request, which loads the rest
}
