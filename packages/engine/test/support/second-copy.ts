/** Loads the package a second time, as if it were installed in two places. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Web } from './oracle.js';

/** Copies the files of the package and of its engine to another folder that resolves the same dependencies, and loads them there. */
export function secondCopy(): Web {
  const load = createRequire(__filename);
  const home = path.dirname(load.resolve('ristretto/package.json'));
  const modules = path.dirname(path.dirname(load.resolve('finalhandler', { paths: [home] })));
  const folder = fs.mkdtempSync(path.join(modules, '.second-copy-'));
  process.on('exit', () => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  const engine = 'node_modules/@ristretto/private-engine';
  for (const [from, to] of [
    [home, folder],
    [path.join(home, '../engine'), path.join(folder, engine)],
  ] as const) {
    for (const name of ['package.json', 'index.js', 'lib']) {
      const isWanted = (file: string): boolean => !file.endsWith('.d.ts');
      if (fs.existsSync(path.join(from, name)))
        fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true, filter: isWanted });
    }
  }
  return load(folder) as Web;
}
