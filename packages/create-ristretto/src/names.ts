/** Validates package names as npm does. */
import { builtinModules } from 'node:module';
import path from 'node:path';
import { UsageError } from './usage-error';

/** A name, with or without a scope. */
const NAME = /^(?:@[a-z\d][\w.~-]*\/)?[a-z\d][a-z\d._~-]*$/;
const LONGEST = 214;
/** Names that cannot be installed as a package, or would hide another one. */
const TAKEN = new Set(['node_modules', 'favicon.ico', 'ristretto', ...builtinModules]);

/** Returns what is wrong with a name, or `undefined`. */
export function nameProblem(name: string): string | undefined {
  if (name.length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (TAKEN.has(name)) return 'it is taken';
  if (!NAME.test(name))
    return 'lower-case letters, digits, hyphens, dots and underscores are allowed, and it must start with a letter or digit';
  return undefined;
}

/**
 * Returns the name if it is valid.
 * @param source where the name comes from, for the error message
 * @throws UsageError if it is not valid
 */
export function checkName(name: string, source: string): string {
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  const hint = source === '--name' ? '' : '. Specify another one with --name';
  throw new UsageError(`Expected ${source} to be a package name, got "${name}": ${problem}${hint}`);
}

/** Returns the name of a directory, given as an absolute or relative path. */
export function nameOfDirectory(directory: string, workingDirectory: string): string {
  return path.basename(path.resolve(workingDirectory, directory));
}
