/** Recognizes the files of this package, also where they are published as one. */

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
