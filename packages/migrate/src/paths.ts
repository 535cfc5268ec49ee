/** Paths of files as written in reports and lock files. */
import path from 'node:path';

/** Returns the path of a file relative to a directory, with slashes on every system. */
export function relative(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}
