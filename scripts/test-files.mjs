/** Finds the test files, says which of them are slow, and how many run at the same time. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packageHomes, root } from './packages.cjs';

export { root };

/** One more than there are processors, because many files mostly wait for timers, sockets and processes. */
export const filesAtOnce = Math.max(2, os.availableParallelism()) + 1;

/** Returns every test file, of the packages and the examples, relative to the repository and with slashes. */
export function testFiles() {
  const found = [];
  const homes = packageHomes().map(home => `${home}/test`);
  for (const home of [...homes, 'examples']) {
    if (!fs.existsSync(path.join(root, home))) continue;
    for (const entry of fs.readdirSync(path.join(root, home), { recursive: true })) {
      const file = String(entry).replaceAll(path.sep, '/');
      // The tests of examples/tutorial run in the project that docs/tutorial.md builds.
      if (file.endsWith('.test.ts') && !/(^|\/)(node_modules|fixtures|tutorial)\//.test(file))
        found.push(`${home}/${file}`);
    }
  }
  return found.sort();
}

/** Tests with examples, much random input, growth over time, processes, tarballs and compilers: most of the total time. */
const SLOW = [
  /\/(?:cli|deferred|diagnose|debug|repository|warnings)\./,
  /\/(?:http\.native|http\.write(?:\.express)?|internals\.(?:instrumentation|stack|tracing)|router\.paths|tracers|web\.(?:deadline|stopOnSignals))\.test/,
  /^examples\//,
  /\/(?:differential|fuzz|faults)\//,
  /\/linear-time\./,
  /\.random\.test/,
  /\.(?:differential|types)\.test/,
  /\/package\.(?:bundle|composite|contents|docstrings|library|nodes|syntax|tarball)\./,
  /\/(?:compression|http\.(?:header-store|linter\.tap|patched)|multer\.threats|protocol\.(?:content-type|proxy|query-string|url)|web\.(?:openapi\.lint|static\.spellings))\.test/,
  /ristretto5\/test\/threats\.test/,
  /\/(?:app\.use\.mixed|features|http\.conformance(?:\.strict)?|http\.proof|http2\.leaks|http2\.safety|res\.jsonp)\.test/,
];

/** Whether a test file takes long: the quick tests leave it out, and all others start after it. */
export const isSlow = (/** @type {string} */ file) => SLOW.some(slow => slow.test(file));
