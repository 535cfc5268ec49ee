/** Names of files as reports and lock files have them. */
import path from 'node:path';

/** The path of a file from a directory, with slashes on every system. */
export function relative(folder: string, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}
