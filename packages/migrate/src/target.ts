/** The target of a migration: Ristretto with the same API, with the Express 5 API, or replacements of middleware. */
import manifest = require('../package.json');
import { examine } from './examine';
import type { Examined } from './examine';
import { examineMiddleware } from './middleware';
import { examineTo5 } from './to-5';

export interface Target {
  folder: string;
  to: string | undefined;
  middleware: boolean;
}

/** The URL of the repository. */
export const home = manifest.homepage.replace(/#.*/, '');

/** The options of the command line that choose it. */
export const TARGET_OPTIONS = {
  to: { type: 'string' },
  middleware: { type: 'boolean', default: false },
} as const;

/** Checks the arguments that choose it. @throws {Error} for the user */
export function readTarget(
  { to, middleware }: { to?: string | undefined; middleware: boolean },
  positionals: string[],
): Target {
  const [folder = '.', ...others] = positionals;
  if (others.length > 0) throw new Error('Expected one directory.');
  if (to !== undefined && to !== '5') throw new Error(`Expected --to 5, got "${to}".`);
  if (to !== undefined && middleware) throw new Error('--to and --middleware are separate steps.');
  return { folder, to, middleware };
}

/** Finds the necessary changes. @throws CommandError if it cannot be found */
export function examineFor({ folder, to, middleware }: Target): Examined {
  if (middleware) return examineMiddleware(folder, home);
  return to === undefined ? examine(folder, manifest.version, home) : examineTo5(folder, manifest.version);
}
