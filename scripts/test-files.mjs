/** Finds the test files, and says how many run at the same time. */
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
