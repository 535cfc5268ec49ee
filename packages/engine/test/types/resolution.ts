/** Lists every name by which a program can load a file of an installed package without an `exports` map. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/**
 * Returns the names that `require` resolves for the files of a package: with and without extension, and folders with an
 * index, with and without a slash.
 */
export function resolvableNames(folder: string, name: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .filter(file => !file.startsWith('node_modules/'));
  const inside = files.flatMap(file => [
    file,
    ...(/\.js(on)?$/.test(file) ? [file.replace(/\.js(on)?$/, '')] : []),
    ...(file.endsWith('/index.js')
      ? [file.slice(0, -'/index.js'.length), file.slice(0, -'index.js'.length)]
      : []),
  ]);
  return [name, `${name}/`, ...inside.map(file => `${name}/${file}`)];
}

/** Returns the names that a program in a folder cannot resolve. */
export function unresolved(names: string[], folder: string): string[] {
  const { resolve } = createRequire(join(folder, 'program.js'));
  return names.filter(name => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
}
