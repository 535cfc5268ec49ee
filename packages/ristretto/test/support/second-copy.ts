/** Loads the package a second time, as if it were installed in two places. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Web } from './oracle.js';

/** Copies the package's files to another folder that resolves the same dependencies, and loads them there. */
export function secondCopy(): Web {
  const load = createRequire(__filename);
  const home = path.dirname(load.resolve('ristretto/package.json'));
  const modules = path.dirname(path.dirname(load.resolve('finalhandler', { paths: [home] })));
  const folder = fs.mkdtempSync(path.join(modules, '.second-copy-'));
  process.on('exit', () => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  for (const name of ['package.json', 'index.js', 'lib']) {
    const isWanted = (file: string): boolean => !file.endsWith('.d.ts');
    fs.cpSync(path.join(home, name), path.join(folder, name), { recursive: true, filter: isWanted });
  }
  return load(folder) as Web;
}
