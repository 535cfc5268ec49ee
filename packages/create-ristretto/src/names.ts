/** Names of packages, as npm takes them. */
import { builtinModules } from 'node:module';
import path from 'node:path';
import { UsageError } from './usage-error';

/** A name, with or without a scope. */
const NAME = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][a-z\d._~-]*$/;
const LONGEST = 214;
/** A package of this name could not be installed, or would stand in the way of another. */
const TAKEN = new Set(['node_modules', 'favicon.ico', 'ristretto', ...builtinModules]);

/** What is wrong with a name, or undefined. */
export function nameProblem(name: string): string | undefined {
  if (name.length > LONGEST) return `it has more than ${LONGEST} characters`;
  if (TAKEN.has(name)) return 'it is taken';
  if (!NAME.test(name))
    return 'lower-case letters, digits, hyphens, dots and underscores are allowed, and it must start with a letter or digit';
  return undefined;
}

/**
 * Hands back a name that can be used.
 * @param source where it comes from, for the message
 */
export function checkName(name: string, source: string): string {
  const problem = nameProblem(name);
  if (problem === undefined) return name;
  const hint = source === '--name' ? '' : '. Specify another one with --name';
  throw new UsageError(`Expected ${source} to be a package name, got "${name}": ${problem}${hint}`);
}

/** The name of a directory, wherever the path begins. */
export function nameOfDirectory(directory: string, workingDirectory: string): string {
  return path.basename(path.resolve(workingDirectory, directory));
}
