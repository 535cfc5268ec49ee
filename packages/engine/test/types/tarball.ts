/** Packs a package as it would be published, and installs the tarball into empty folders without the network. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { after, before } from 'node:test';

/** The package that the versions share: it is installed from this repository. */
const PUBLISHED = '@ristretto/private-engine';

const REPOSITORY = resolve(__dirname, '../../../..');
const PACK = join(REPOSITORY, 'scripts/pack.mjs');

const homeOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Creates a new folder for the tarball and everything made from it; the caller removes it. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'ristretto-package-'));
}

/** Packs a package (default: ristretto) into a folder and returns the path of the tarball. */
export function pack(folder: string, source = 'ristretto'): string {
  const packed = execFileSync(
    process.execPath,
    [PACK, folder, relative(REPOSITORY, realpathSync(homeOf(source)))],
    { encoding: 'utf8' },
  );
  return (JSON.parse(packed) as [{ file: string }])[0].file;
}

/**
 * Creates a project that contains only the unpacked tarball, under a name, and links to its declared dependencies,
 * which are already installed here.
 * @param source the package that the tarball was made from
 */
export function install(tarball: string, project: string, name: string, source = 'ristretto'): string {
  const modules = join(project, 'node_modules');
  mkdirSync(modules, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', project]);
  renameSync(join(project, 'package'), join(modules, name));
  link(join(modules, name), homeOf(source), modules);
  return join(modules, name);
}

/** Has the package of a version of the API as `express` in a project, with `ristretto`, while the tests of a file run. */
export function installedAsExpress(source: string) {
  const folder = scratch();
  const project = join(folder, 'project');
  const installed = join(project, 'node_modules/express');
  before(() => {
    install(pack(folder, source), project, 'express', source);
    install(pack(folder), project, 'ristretto');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    project,
    installed,
    /** Returns the paths of its files. */
    files: (): string[] =>
      readdirSync(installed, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => relative(installed, join(entry.parentPath, entry.name)).replaceAll(sep, '/')),
    /** Runs a program in the project and returns its output. */
    run(program: string, name = 'app.js'): string {
      const file = join(project, name);
      writeFileSync(file, program);
      return execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8', stdio: 'pipe' }).trim();
    },
  };
}

/**
 * Links the dependencies of a manifest and their dependencies into one flat folder, including peers, which a project
 * installs itself.
 */
function link(folder: string, from: string, modules: string): void {
  const { dependencies, peerDependencies, peerDependenciesMeta = {} } = readManifest(folder);
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    const target = join(modules, dependency);
    if (existsSync(target)) continue;
    // Dependencies of this repository's packages are installed; `ws` has some that are not.
    if (peerDependenciesMeta[dependency]?.optional === true && isMissing(dependency, from)) continue;
    const installed = find(dependency, from);
    mkdirSync(dirname(target), { recursive: true });
    // Copied if it is a package of this repository: a compiler would see the target of a link.
    if (dependency === PUBLISHED) copyPublished(target);
    else symlinkSync(installed, target, 'junction');
    link(installed, installed, modules);
  }
}

/** The tarball of that package: npm takes a second to pack it, and a file installs it several times. */
let published: string | undefined;

/** Copies that package as it is published. */
function copyPublished(target: string): void {
  if (published === undefined) {
    const folder = scratch();
    process.on('exit', () => rmSync(folder, { recursive: true }));
    published = pack(folder, PUBLISHED);
  }
  mkdirSync(target);
  execFileSync('tar', ['-xzf', published, '--strip-components=1', '-C', target]);
}

function isMissing(dependency: string, from: string): boolean {
  try {
    find(dependency, from);
    return false;
  } catch {
    return true;
  }
}

function find(dependency: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', dependency);
    if (existsSync(candidate)) return candidate;
    if (folder === dirname(folder)) throw new Error(`${dependency} is not installed`);
  }
}
