/** Builds every package, src/*.ts to lib/*.js one file for one file, in the order in which they use each other. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');

/**
 * The declarations keep their comments, which editors show; the code does without: half of what Node would have to
 * read and keep when the package is loaded.
 */
const passes = {
  types: ['--emitDeclarationOnly'],
  code: ['--declaration', 'false', '--removeComments'],
};

for (const name of ['ristretto', 'ristretto3']) {
  const project = path.join(root, 'packages', name, 'tsconfig.json');
  if (!fs.existsSync(project)) continue;
  const isFresh = !fs.existsSync(path.join(root, 'packages', name, 'lib'));
  for (const [pass, flags] of Object.entries(passes)) {
    const notes = path.join(root, `node_modules/.cache/${name}.${pass}.tsbuildinfo`);
    // The compiler's notes say what it wrote last time; without the files they are wrong.
    if (isFresh) fs.rmSync(notes, { force: true });
    const command = [tsc, '-p', project, ...flags, '--tsBuildInfoFile', notes];
    const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}
