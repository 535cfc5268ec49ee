/** Searches the sources of an application for code affected by differences from Express 4. */
import fs from 'node:fs';
import path from 'node:path';
import { declared } from './manifest';
import { relative } from './paths';
import type { Project } from './project';

export interface Place {
  /** Relative to the directory of the application, with slashes. */
  file: string;
  line: number;
  text: string;
}

/** What to search for. */
export interface Search {
  /** Matches a source line. The first group, if any, is the name of a package. */
  find?: RegExp;
  /** Names of packages. */
  packages?: readonly string[];
  /** Found only if the package of the first group is not declared in `package.json`. */
  isUndeclared?: true;
}

export interface Finding<Difference extends Search> {
  difference: Difference;
  places: Place[];
  /** The packages that match the difference. */
  packages: string[];
}

export interface Scan<Difference extends Search> {
  findings: Finding<Difference>[];
  files: number;
  /** Whether files were skipped because there are too many or they are too large. */
  isPartial: boolean;
}

/** Source files of Node, including tests. */
const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Files that are not written by hand, or not read by Node. */
const SKIPPED_FILE = /(?:\.min\.js|\.d\.[cm]?ts)$/;
const SKIPPED_FOLDER = /^(?:node_modules|bower_components|coverage|dist|build|out|public|vendor|\..*)$/;
/** A line that is a comment; comments after code are not recognized. */
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
const MAX_FILES = 10_000;
const MAX_SIZE = 512 * 1024;
const MAX_LINE = 2_000;
const MAX_TEXT = 120;

/** The source files of an application. */
export interface Readable {
  files: string[];
  /** Whether files were skipped because there are too many or they are too large. */
  isPartial: boolean;
}

/** Searches all files of the application's packages except generated ones, or those given. */
export function scan<Difference extends Search>(
  project: Project,
  differences: readonly Difference[],
  { files, isPartial }: Readable = readable(project.home),
): Scan<Difference> {
  const { home, packages } = project;
  const found = new Map<Difference, Finding<Difference>>();
  const findingOf = (difference: Difference): Finding<Difference> => {
    const finding = found.get(difference) ?? { difference, places: [], packages: [] };
    found.set(difference, finding);
    return finding;
  };
  const all = new Set(packages.flatMap(manifest => [...declared(manifest)]));
  for (const difference of differences) {
    const names = difference.packages?.filter(name => all.has(name)) ?? [];
    if (names.length > 0) findingOf(difference).packages.push(...names);
  }
  for (const file of files) {
    const names = declaredFor(file, project);
    for (const [difference, place] of searchFile(file, home, names, differences))
      findingOf(difference).places.push(place);
  }
  const findings = differences.flatMap(difference => found.get(difference) ?? []);
  return { findings, files: files.length, isPartial };
}

/** Returns the source files below a directory, without generated ones, and without those beyond the limits. */
export function readable(home: string): Readable {
  const all = [...sourcesIn(home)];
  const files = all.filter(file => fs.statSync(file).size <= MAX_SIZE).slice(0, MAX_FILES);
  return { files, isPartial: files.length < all.length };
}

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) yield* sourcesIn(file);
    else if (entry.isFile() && SOURCE.test(entry.name) && !SKIPPED_FILE.test(entry.name)) yield file;
  }
}

/** Returns the dependencies declared by a file's package and by the root, whose packages it can load too. */
function declaredFor(file: string, { root, packages }: Project): Set<string> {
  const owners = packages.filter(({ folder }) => file.startsWith(folder + path.sep));
  return new Set([root, ...owners].flatMap(manifest => [...declared(manifest)]));
}

function* searchFile<Difference extends Search>(
  file: string,
  home: string,
  names: ReadonlySet<string>,
  differences: readonly Difference[],
): Generator<[Difference, Place]> {
  const name = relative(home, file);
  for (const [index, line] of fs.readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.length > MAX_LINE || COMMENT.test(line)) continue;
    for (const difference of differences) {
      const match = difference.find?.exec(line);
      if (!match || (difference.isUndeclared && names.has(match[1]!))) continue;
      yield [difference, { file: name, line: index + 1, text: line.trim().slice(0, MAX_TEXT) }];
    }
  }
}
