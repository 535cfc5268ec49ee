/**
 * Lets Datadog's tracer name the path that matched, of a layer with several paths.
 *
 * The tracer compiles each of the paths by the function of `path-to-regexp`, which it gets when an application loads
 * that package before `lib/express.js`. Paths are not read by that package here, so the tracer gets our own function by
 * the channel on which its bundler plugins report packages that are not loaded by `require`.
 */
import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { parsePath } from './path-pattern';

const CHANNEL = 'dd-trace:bundler:load';

/** Where the tracer has the list of the packages that it knows. */
const LIST = /[\\/]datadog-instrumentations[\\/]src[\\/]helpers[\\/]hooks\.js$/;

/** Reports how paths are read, if a tracer that wants to know is loaded. */
export function reportPathCompiler(): void {
  const reports = channel(CHANNEL);
  if (!reports.hasSubscribers || !isWanted()) return;
  reports.publish({
    package: 'path-to-regexp',
    path: 'path-to-regexp',
    version: '0.1.13',
    module: compilePath,
  });
}

/** Whether the tracer knows the package: earlier versions, which need no function, fail on one that they don't know. */
function isWanted(): boolean {
  // In a bundle, `require.cache` is missing or the bundle's own.
  const { cache } = createRequire(process.execPath);
  const file = Object.keys(cache).find(name => LIST.test(name));
  const list = file === undefined ? undefined : (cache[file]?.exports as object | undefined);
  return list !== undefined && Object.hasOwn(list, 'path-to-regexp');
}

/** The expression of a path, as path-to-regexp 0.1 makes it; its `test` takes linear time. */
function compilePath(path: string | RegExp | unknown[]): RegExp {
  const pattern = parsePath(path, {});
  const test = (text: string): boolean => pattern.match(text, []) >= 0;
  return Object.defineProperty(new RegExp(pattern.toRegExp()), 'test', { value: test });
}
