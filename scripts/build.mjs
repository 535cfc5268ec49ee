/** Builds every package, src/*.ts to lib/*.js one file for one file, in the order in which they use each other. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

for (const name of ['ristretto', 'ristretto3']) {
  const project = path.join(root, 'packages', name, 'tsconfig.json');
  if (!fs.existsSync(project)) continue;
  // The compiler's notes say what it wrote last time; without the files they are wrong.
  if (!fs.existsSync(path.join(root, 'packages', name, 'lib'))) {
    fs.rmSync(path.join(root, `node_modules/.cache/${name}.tsbuildinfo`), { force: true });
  }
  const { status } = spawnSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
