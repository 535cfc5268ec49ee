/** Finds the test files. */
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** Returns every test file, of the packages and the examples, relative to the repository and with slashes. */
export function testFiles() {
  const found = [];
  const homes = fs.readdirSync(path.join(root, 'packages')).map(name => `packages/${name}/test`);
  for (const home of [...homes, 'examples']) {
    if (!fs.existsSync(path.join(root, home))) continue;
    for (const entry of fs.readdirSync(path.join(root, home), { recursive: true })) {
      const file = String(entry).replaceAll(path.sep, '/');
      if (file.endsWith('.test.ts') && !/(^|\/)(node_modules|fixtures)\//.test(file))
        found.push(`${home}/${file}`);
    }
  }
  return found.sort();
}
