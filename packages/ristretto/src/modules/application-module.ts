/**
 * Finds modules that the application depends on, and not this package: view engines, converters, pages.
 *
 * This package may be linked, hoisted elsewhere or part of a bundle, so several places are searched.
 */
import { createRequire } from 'node:module';
import path = require('node:path');

/** Files that modules are looked for from. In a bundle each of these may throw or be something else. */
const places: (() => string | undefined)[] = [
  () => __filename,
  () => require.main?.filename,
  () => path.join(process.cwd(), 'index.js'),
  () => process.argv[1],
];

/**
 * The `require` of the first place that has the module. Bundlers replace `require` with a function that reads no files.
 * @throws what Node throws where no place has it, of the first place
 */
export function requireWith(name: string): NodeJS.Require {
  let missing: unknown;
  for (const load of places.map(requireFrom)) {
    try {
      load?.resolve(name);
    } catch (err) {
      missing ??= err;
      continue;
    }
    if (load) return load;
  }
  throw missing;
}

function requireFrom(place: () => string | undefined): NodeJS.Require | undefined {
  try {
    return createRequire(place()!);
  } catch {
    return undefined;
  }
}
