/** Reads `package.json` files, with errors that name the file. */
import fs from 'node:fs';
import path from 'node:path';
import { CommandError } from './command-error';

type Ranges = Record<string, string>;

/** The members of a `package.json` that are used here. */
export interface Manifest {
  name?: string;
  version?: string;
  packageManager?: string;
  engines?: { node?: string };
  scripts?: Record<string, string>;
  workspaces?: string[] | { packages?: string[] };
  dependencies?: Ranges;
  devDependencies?: Ranges;
  optionalDependencies?: Ranges;
  peerDependencies?: Ranges;
  overrides?: Record<string, unknown>;
  resolutions?: Ranges;
  pnpm?: { overrides?: Ranges };
}

/** A `package.json` of the application. */
export interface ManifestFile {
  folder: string;
  file: string;
  text: string;
  data: Manifest;
}

/** The sections of a manifest whose packages are installed. */
export const SECTIONS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/**
 * Reads the `package.json` of an application.
 * @throws CommandError if there is none, or it is not a JSON object
 */
export function readManifest(folder: string): ManifestFile {
  const file = path.join(folder, 'package.json');
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
    if (isMissing) {
      throw new CommandError(
        `There is no package.json in ${folder}. Pass the directory of the application`,
        '<dir>',
      );
    }
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    // npm accepts a byte order mark too.
    const data: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof data !== 'object' || data === null || Array.isArray(data))
      throw new Error('it is not an object');
    return { folder, file, text, data };
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

/** Returns the manifest of an installed package, or undefined if it has none that can be read. */
export function readInstalled(folder: string): Manifest | undefined {
  try {
    return readManifest(folder).data;
  } catch {
    return undefined;
  }
}

/** Returns the names of the packages that a manifest installs or lists as peers. */
export function declared({ data }: ManifestFile): Set<string> {
  return new Set(
    [...SECTIONS, 'peerDependencies' as const].flatMap(section => Object.keys(data[section] ?? {})),
  );
}
