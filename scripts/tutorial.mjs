/**
 * Carries out docs/tutorial.md, step by step.
 *
 * A block below a file name in bold is the file, or, in the language `diff`, a change to it. Requires built packages.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { filesIn } from './recipes.mjs';
import { root } from './test-files.mjs';

/** The packages that npm would install. Those of the examples come first: among them, `express` is Ristretto. */
const PACKAGES = ['node_modules', 'examples/node_modules'].map(name => path.join(root, name));
/** Node 20 needs help with TypeScript. */
const RUNS_TYPESCRIPT = 'typescript' in process.features;
/** Environment variables for programs of the application. */
export const ENVIRONMENT = {
  NODE_ENV: 'development',
  ...(!RUNS_TYPESCRIPT && {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${import.meta.resolve('tsx')}`.trim(),
  }),
};

/** Returns the steps of the page: their titles and files. */
export function steps() {
  const page = fs.readFileSync(path.join(root, 'docs/tutorial.md'), 'utf8');
  const [, ...sections] = page.split(/^## (?=\d+\. )/m);
  return sections.map(text => ({
    title: text.slice(0, text.indexOf('\n')),
    files: filesIn(text),
    packages: [...text.matchAll(/npm install ([a-z-]+)@npm:(\S+)/g)].map(([, alias = '', name = '']) => ({
      alias,
      name,
    })),
  }));
}

/** Creates the application as the first step says, in a new folder, with the packages of the repository. */
export function create(/** @type {string} */ folder) {
  const creator = path.join(root, 'packages/create-ristretto/index.js');
  execFileSync(process.execPath, [creator, folder, '--language', 'ts', '--template', 'api']);
  const modules = path.join(folder, '../node_modules');
  fs.mkdirSync(modules);
  for (const home of PACKAGES) {
    for (const name of fs.readdirSync(home)) {
      // An application that has tsx would run with it.
      if (name.startsWith('.') || name === 'tsx') continue;
      fs.rmSync(path.join(modules, name), { force: true });
      fs.symlinkSync(path.join(home, name), path.join(modules, name), 'junction');
    }
  }
}

/** Adds packages to package.json, as npm does. */
function install(/** @type {string} */ folder, /** @type {ReturnType<typeof steps>[number]} */ { packages }) {
  const file = path.join(folder, 'package.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  for (const { alias, name } of packages) {
    const { version } = JSON.parse(
      fs.readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'),
    );
    manifest.dependencies[alias] = `npm:${name}@^${version}`;
  }
  fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes the client of the application. */
function generateClient(/** @type {string} */ folder) {
  const program = path.join(root, 'packages/ristretto/bin/ristretto.js');
  const args = [program, 'client', 'src/app.ts', '--out', 'client/api.ts'];
  execFileSync(process.execPath, args, { cwd: folder, env: { ...process.env, ...ENVIRONMENT } });
}

/** Carries out a step. */
export function carryOut(/** @type {string} */ folder, /** @type {ReturnType<typeof steps>[number]} */ step) {
  install(folder, step);
  for (const { name, code, language } of step.files) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (language !== 'diff') fs.writeFileSync(file, code);
    else fs.writeFileSync(file, changed(fs.readFileSync(file, 'utf8'), code, `${step.title}, ${name}`));
  }
  if (fs.existsSync(path.join(folder, 'client'))) generateClient(folder);
}

/** Applies changes that are separated by lines of `@@`. Each must fit one place. */
function changed(/** @type {string} */ text, /** @type {string} */ diff, /** @type {string} */ where) {
  let result = text;
  for (const change of diff.split(/^@@\n/m)) {
    const lines = change.replace(/\n$/, '').split('\n');
    const only = (/** @type {string} */ sign) =>
      lines.filter(line => !line.startsWith(sign)).map(line => `${line.slice(1)}\n`);
    const [before, after] = [only('+').join(''), only('-').join('')];
    const found = before === '' ? 0 : result.split(before).length - 1;
    if (found !== 1) throw new Error(`${where}: fits ${found} places:\n${change}`);
    result = result.replace(before, () => after);
  }
  return result;
}
