/** Compiles src/ to dist/, file by file. Types are checked by `tsc`, not here. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const source = path.join(here, 'src');
const files = fs
  .readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'));

buildSync({
  entryPoints: files.map(name => path.join(source, name)),
  outdir: path.join(here, 'dist'),
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
});
