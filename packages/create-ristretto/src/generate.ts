/** Creates an application: writes the files of the templates, with its name. */
import fs from 'node:fs';
import path from 'node:path';
import type { Answers } from './choices';
import { UsageError } from './usage-error';

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
}

const TEMPLATES = path.join(__dirname, '../templates');
/**
 * Files that may already exist in the directory: a repository that was created first, and files that desktops create.
 */
const IGNORED = new Set(['.git', '.DS_Store', 'Thumbs.db']);
/** The maximum number of files that a message names. */
const NAMED = 3;

/**
 * Returns the version of this package, and of the `ristretto` that its applications use: they are released together.
 */
export function ownVersion(): string {
  return readManifest(path.join(__dirname, '../package.json')).version!;
}

/**
 * Creates the application.
 * @param target the absolute path of the directory, which is created if it does not exist
 * @param isLocal whether it takes the packages from this checkout, not from npm
 * @returns the paths of the files, relative to it
 * @throws UsageError if the directory is not empty, or is not a directory, or there is no checkout
 */
export function generate(target: string, answers: Answers, isLocal = false): string[] {
  assertEmpty(target);
  const files = collect(answers, isLocal ? localFolder(target) : undefined);
  fs.mkdirSync(target, { recursive: true });
  for (const [name, content] of files) {
    const file = path.join(target, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    // Never overwrites a file that was created in the meantime.
    fs.writeFileSync(file, content, { flag: 'wx' });
  }
  return [...files.keys()];
}

/** Returns the path of the packages of this checkout, from the application. */
function localFolder(target: string): string {
  const packages = path.join(__dirname, '../..');
  if (!fs.existsSync(path.join(packages, 'engine/src')))
    throw new UsageError('--local needs a checkout of the repository: this program was installed from npm');
  return path.relative(target, packages).split(path.sep).join('/');
}

function assertEmpty(target: string): void {
  const stats = fs.statSync(target, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw new UsageError(`${target} is a file: specify a new directory`);
  const found = fs.readdirSync(target).filter(name => !IGNORED.has(name));
  if (found.length === 0) return;
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : '';
  throw new UsageError(
    `${target} is not empty (${found.slice(0, NAMED).join(', ')}${more}): choose another directory, or empty this one`,
  );
}

/** Returns the content of each file of the application, by name. */
function collect({ name, language, template }: Answers, local: string | undefined): Map<string, string> {
  const files = new Map<string, string>();
  let manifest: Manifest = {};
  const layers = ['common', language, template, `${template}-${language}`];
  // What both languages share is TypeScript without types: only names of files differ.
  const inLanguage = (text: string): string => text.replace(/\.ts\b/g, `.${language}`);
  for (const layer of layers) {
    const home = path.join(TEMPLATES, layer);
    const isShared = layer === 'common' || layer === template;
    for (const entry of fs.readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.relative(home, path.join(entry.parentPath, entry.name));
      if (file === 'package.json') manifest = merge(manifest, readManifest(path.join(home, file)));
      else {
        const text = fs.readFileSync(path.join(home, file), 'utf8');
        const name = nameInApplication(file);
        if (isShared) files.set(inLanguage(name), inLanguage(text));
        else files.set(name, text);
      }
    }
  }
  const dependencies = sorted({
    ...releasedTogether(manifest.dependencies),
    // The application imports one name, and middleware packages require the other. With one of them alone, the other
    // would be Express 5.
    ristretto: `^${ownVersion()}`,
    express: `npm:ristretto@^${ownVersion()}`,
  });
  if (local !== undefined) takeFrom(local, dependencies);
  files.set('package.json', `${JSON.stringify({ ...manifest, name, dependencies }, null, 2)}\n`);
  files.set('README.md', files.get('README.md')!.replace(/^# app$/m, `# ${name}`));
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Some names have a meaning even in a directory of templates: npm leaves out a `.gitignore`, ESLint finds any
 * configuration.
 */
function nameInApplication(file: string): string {
  return file.replace(/^_/, '');
}

function readManifest(file: string): Manifest {
  return JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest;
}

/** Sets the minor and patch version, which all packages of this repository share, for those of its own scope. */
function releasedTogether(dependencies: Record<string, string> = {}): Record<string, string> {
  const [, rest] = /^\d+(.*)/.exec(ownVersion())!;
  return Object.fromEntries(
    Object.entries(dependencies).map(([name, range]) => [
      name,
      `${name}@${range}`.includes('@ristretto/') ? range.replace(/\^(\d+).*/, `^$1${rest!}`) : range,
    ]),
  );
}

/** Replaces the versions of our packages by the folders that they are in. */
function takeFrom(local: string, dependencies: Record<string, string>): void {
  for (const [name, range] of Object.entries(dependencies)) {
    const [, middleware] = /@ristretto\/([\w-]+)/.exec(`${name}@${range}`) ?? [];
    if (middleware !== undefined) dependencies[name] = `file:${local}/middleware/${middleware}`;
    else if (name === 'ristretto' || name === 'express') dependencies[name] = `file:${local}/ristretto`;
  }
}

/** Sorts dependencies in the order that npm writes. */
function sorted(dependencies: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(dependencies).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function merge(manifest: Manifest, more: Manifest): Manifest {
  return { ...manifest, ...more, dependencies: { ...manifest.dependencies, ...more.dependencies } };
}
