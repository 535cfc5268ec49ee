/** This repository's packages as published: unpacked from their tarballs to where a project would have them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pack } from '../types/tarball.js';

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

/** Reads the manifest of a package. @param from its directory */
export const read = (from: string): Manifest =>
  JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;

/**
 * Installs the package of one interface version as `express` into a new project, with `ristretto` and the dependencies
 * of both.
 * @param folder where the tarballs are put; the project is `project` in it
 */
export function installAsExpress(home: string, folder: string): void {
  const project = join(folder, 'project');
  const base = dirname(require.resolve('ristretto/package.json'));
  unpack(home, folder, join(project, 'node_modules/express'));
  unpack(base, folder, join(project, 'node_modules/ristretto'));
  link(home, project);
  link(base, project);
  const dependencies = { express: `file:../${read(home).name}.tgz` };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies }));
}

/** Packs a package of this repository and unpacks it. */
function unpack(source: string, folder: string, target: string): void {
  const tarball = pack(folder, read(source).name);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target]);
}

/** Links the dependencies of a manifest, and theirs, to where they are installed here. */
function link(from: string, project: string): void {
  for (const name of Object.keys(read(from).dependencies ?? {})) {
    const target = join(project, 'node_modules', name);
    if (existsSync(target)) continue;
    const source = find(name, from);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(source, target, 'junction');
    link(source, project);
  }
}

function find(name: string, from: string): string {
  for (let at = from; at !== dirname(at); at = dirname(at)) {
    const candidate = join(at, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
  }
  throw new Error(`${name} is not installed`);
}
