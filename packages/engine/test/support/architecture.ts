/** Reads the imports of each source file and reports those that break the architecture rules. */
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

/** Maps file names, relative to src and with slashes, to their text. */
export type Sources = Map<string, string>;

export interface Architecture {
  /**
   * Directories (each a folder and the file of the same name next to it) by layer, the lowest first. A folder in another
   * one belongs to that, unless it is named itself. A package of a few files has none, and only its cycles are rejected.
   */
  layers?: string[][];
  /** Allowed imports between directories of one layer: importing file to imported file. */
  exceptions: [string, string][];
  /** Package names that may be imported. */
  packages: string[];
  /** Maximum number of lines in a file. */
  lines: number;
  /** Files that consist of what other packages may use. They may import every file, and no file imports them. */
  doors?: string[];
}

/** The .ts files under a folder. */
export function readSources(folder: string): Sources {
  const sources: Sources = new Map();
  for (const entry of fs.readdirSync(folder, { recursive: true }).map(String).sort()) {
    const name = entry.split(path.sep).join('/');
    if (/\.[mc]?ts$/.test(name)) sources.set(name, fs.readFileSync(path.join(folder, entry), 'utf8'));
  }
  return sources;
}

/** Returns what a file imports in any form: import, import type, export from, import =, require(), import(). */
export function importsOf(text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true);
  return [...new Set(importedFiles.map(({ fileName }) => fileName))];
}

/** Returns the identifiers in a file, without those in comments and strings. */
export function identifiersOf(text: string): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.ES2022));
  return [...names];
}

/** The source file that a relative import refers to, or undefined. */
function resolve(from: string, specifier: string, sources: Sources): string | undefined {
  const target = path.posix.join(path.posix.dirname(from), specifier).replace(/\.js$/, '');
  return [`${target}.ts`, `${target}/index.ts`].find(name => sources.has(name));
}

/** The innermost directory of a layer with a file, or its own name: 'body/read.ts' and 'body.ts' belong to 'body'. */
function directoryOf(file: string, layers: string[][]): string {
  const names = file.replace(/\.ts$/, '').split('/');
  const outer = names.map((_, at) => names.slice(0, at + 1).join('/'));
  return outer.reverse().find(name => layers.some(directories => directories.includes(name))) ?? names[0]!;
}

/**
 * The files next to src and lib: the package's manifest, published declarations, and the files that tracers look for.
 */
const BESIDE = /^\.\.\/(?:package\.json|types\/[\w-]+|traced\/.*)$/;

/** Returns all violations of the rules, one sentence each. */
export function violations(sources: Sources, architecture: Architecture): string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of sources) {
    const targets: string[] = [];
    for (const specifier of importsOf(text)) {
      if (BESIDE.test(path.posix.join(path.posix.dirname(file), specifier))) continue;
      if (!specifier.startsWith('.')) {
        found.push(...undeclared(file, specifier, architecture));
        continue;
      }
      const target = resolve(file, specifier, sources);
      if (target === undefined) found.push(`${file}: ${specifier} is not a file of the package`);
      else targets.push(target);
    }
    graph.set(file, targets);
    for (const target of targets) found.push(...misplaced(file, target, architecture));
    found.push(...ofShape(file, text, architecture));
    if (!architecture.doors?.includes(file) && isBarrel(file, text))
      found.push(`${file} does nothing but re-export`);
  }
  return [...found, ...cycles(graph)];
}

/** The package that all versions share, and the parts of it that they may import: its doors, and its types. */
export const ENGINE = '@ristretto/private-engine';
const DOOR = new RegExp(`^${ENGINE}/lib/(?:types/)?[\\w-]+$`);

function undeclared(file: string, specifier: string, { packages }: Architecture): string[] {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (specifier.startsWith('node:')) return [];
  if (name === ENGINE && !DOOR.test(specifier)) return [`${file}: ${specifier} is not a door of the engine`];
  if (builtinModules.includes(specifier)) return [`${file}: ${specifier} is written without node:`];
  return packages.includes(name) ? [] : [`${file}: the package ${name} is not among the dependencies`];
}

function misplaced(file: string, target: string, { layers, exceptions, doors = [] }: Architecture): string[] {
  if (doors.includes(target)) return [`${file} imports ${target}, which is a door for other packages`];
  if (doors.includes(file) || layers === undefined) return [];
  const [directory, other] = [directoryOf(file, layers), directoryOf(target, layers)];
  const [layer, otherLayer] = [directory, other].map(name =>
    layers.findIndex(directories => directories.includes(name)),
  ) as [number, number];
  if (layer < 0) return [`${file}: the directory ${directory} is on no layer`];
  if (directory === other || otherLayer < layer) return [];
  if (otherLayer > layer) return [`${file} imports ${target} from a higher layer`];
  return exceptions.some(([from, to]) => from === file && to === target)
    ? []
    : [`${file} imports ${target} from a sibling directory of its layer`];
}

function ofShape(file: string, text: string, { lines }: Architecture): string[] {
  const found: string[] = [];
  const count = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (count > lines) found.push(`${file} has ${count} lines, more than ${lines}`);
  if (!/^(\/\/(\/ | eslint-).*\n)*\/\*\*/.test(text))
    found.push(`${file} does not begin with a comment that says its job`);
  return found;
}

/** Whether a file is a barrel: every statement is an import or a re-export, with at least one re-export. */
function isBarrel(file: string, text: string): boolean {
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const passesOn = (node: ts.Statement) => ts.isExportDeclaration(node);
  return (
    statements.some(passesOn) && statements.every(node => passesOn(node) || ts.isImportDeclaration(node))
  );
}

/** Each cycle once, as 'a -> b -> a'. */
function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      found.push(`a cycle: ${[...trail.slice(start), file].join(' -> ')}`);
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
