/**
 * Lets Datadog's tracer report which path matched when a layer has several.
 *
 * The tracer compiles each path with the function of `path-to-regexp`, which it receives when an application loads that
 * package before `lib/express.js`. The framework does not use that package, so it passes its own function to the tracer
 * on the channel on which the tracer's bundler plugins report packages that are not loaded with `require`.
 */
import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { parsePath } from '@ristretto/private-engine/lib/router';

const CHANNEL = 'dd-trace:bundler:load';

/** The file in which the tracer lists the packages it instruments. */
const LIST = /[\\/]datadog-instrumentations[\\/]src[\\/]helpers[\\/]hooks\.js$/;

/** Passes the function that compiles paths to a tracer, if one that uses it is loaded. */
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

/**
 * Whether the tracer lists the package: earlier versions do not need the function, and fail on packages they do not
 * know.
 */
function isWanted(): boolean {
  // In a bundle, `require.cache` is missing or the bundle's own.
  const { cache } = createRequire(process.execPath);
  const file = Object.keys(cache).find(name => LIST.test(name));
  const list = file === undefined ? undefined : (cache[file]?.exports as object | undefined);
  return list !== undefined && Object.hasOwn(list, 'path-to-regexp');
}

/**
 * Returns the regular expression that path-to-regexp 0.1 creates from a path, except that its `test` takes linear
 * time.
 */
function compilePath(path: string | RegExp | unknown[]): RegExp {
  const pattern = parsePath(path, {});
  const test = (text: string): boolean => pattern.match(text, []) >= 0;
  return Object.defineProperty(new RegExp(pattern.toRegExp()), 'test', { value: test });
}
