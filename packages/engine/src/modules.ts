/**
 * Finds files: those of this package, and modules that the application depends on, but this package does not (view engines,
 * converters, pages). This package may be linked, hoisted elsewhere or bundled, so several places are searched.
 */
import { createRequire } from 'node:module';
import path = require('node:path');
import { isError } from './realms';

/**
 * Returns the directory of this package; undefined in a program's bundle, where one file holds the engine and the program.
 * @param file the file of a module, at run time
 * @param name its path in `src` without extension, like `dev/place`
 */
export function packageRoot(file: string, name: string): string | undefined {
  const path = file.replaceAll('\\', '/');
  // The published engine is one file.
  const ends = ['/private-engine/lib/engine.js', `/lib/${name}.js`, `/src/${name}.ts`];
  const end = ends.find(each => path.endsWith(each));
  return end && file.slice(0, file.length - end.length + end.search(/\/(?:lib|src)\//));
}

/** Files from which modules are resolved. In a bundle, each of these may throw or be something else. */
const places: (() => string | undefined)[] = [
  () => __filename,
  () => require.main?.filename,
  () => path.join(process.cwd(), 'index.js'),
  () => process.argv[1],
];

/**
 * Returns the `require` of the first place that has the module. (Bundlers replace `require` with a function that reads
 * no files.)
 * @param suits whether the module of a place has a suitable version; the first one that has not is returned if none has
 * @throws the error of Node for the first place, if no place has it
 */
export function requireWith(
  name: string,
  suits: (load: NodeJS.Require) => boolean = () => true,
): NodeJS.Require {
  let missing: unknown;
  let unsuitable: NodeJS.Require | undefined;
  for (const load of places.map(requireFrom)) {
    try {
      load?.resolve(name);
    } catch (err) {
      missing ??= err;
      continue;
    }
    if (load && suits(load)) return load;
    unsuitable ??= load;
  }
  if (unsuitable) return unsuitable;
  // The ten frames that V8 records must reach the line of the program that needs the module
  if (isError(missing)) Error.captureStackTrace(missing, requireWith);
  throw missing;
}

function requireFrom(place: () => string | undefined): NodeJS.Require | undefined {
  try {
    return createRequire(place()!);
  } catch {
    return undefined;
  }
}
