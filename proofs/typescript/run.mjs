/**
 * Compiles the programs of the type tests, and the application of the tutorial, with other versions of TypeScript, against the
 * declarations of ristretto and of ristretto5:
 *
 *     node proofs/typescript/run.mjs [version ...]     all versions below, or those that contain one of the words
 *
 * The compilers come from npm and stay in node_modules/.cache/typescript-versions. Needs a built package.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { matching, readOptions } from '../../scripts/options.cjs';
import { root } from '../../scripts/test-files.mjs';
import { carryOut, create, steps } from '../../scripts/tutorial.mjs';

/** From the first version that can read all declarations to the newest. The tests use the version in package.json. */
const VERSIONS = ['5.4.5', '5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '7.0.2'];
const HOME = path.join(root, 'node_modules/.cache/typescript-versions');
const TESTS = path.join(root, 'packages/ristretto/test/types');
const TESTS5 = path.join(root, 'packages/ristretto5/test/types');

const OPTIONS = {
  noEmit: true,
  strict: true,
  target: 'es2022',
  lib: ['es2023'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  typeRoots: [path.join(root, 'node_modules/@types')],
  esModuleInterop: true,
  skipLibCheck: true,
};

/**
 * Programs that are compiled separately, because they change the types of all others or are for older compiler options.
 */
const ALONE = ['augmentation.ts', 'namespace-import.ts'];
/** The programs for ristretto that also apply to Express 5. */
const SHARED = [
  'adds',
  'beyond',
  'events',
  'interchange',
  'listening',
  'openapi',
  'sending',
  'settings',
  'time',
  'validate',
];

const inFolder = (/** @type {string} */ folder) =>
  fs
    .readdirSync(folder)
    .filter(name => !ALONE.includes(name))
    .map(name => path.join(folder, name));

/** Builds the application of the tutorial, which begins with what npm create writes, and returns its folders. */
function tutorial() {
  const folder = path.join(HOME, 'tutorial');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  create(path.join(folder, 'app'));
  for (const step of steps()) carryOut(path.join(folder, 'app'), step);
  return ['src', 'test', 'client'].map(name => path.join(folder, 'app', name));
}
/** The options of its own configuration, and others that change how types are read. */
const strictest = {
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  declaration: true,
};

/** Maps each package name to the declarations that programs find under it. */
const names = (/** @type {string} */ declarations) => ({
  ...Object.fromEntries(
    ['express', 'ristretto', 'ristretto5'].map(name => [name, [path.join(root, 'packages', declarations)]]),
  ),
  theirs: [path.join(root, 'node_modules/@types/express/index.d.ts')],
  'express-session': [path.join(root, 'packages/middleware/session/lib/index.d.ts')],
});

/**
 * The programs that are compiled together, by package. @type {Record<string, { paths: object, programs: string[][] }>}
 */
const PACKAGES = {
  ristretto: {
    paths: names('ristretto/lib/express.d.ts'),
    programs: [
      [...inFolder(path.join(TESTS, 'ours')), ...inFolder(path.join(TESTS, 'programs'))],
      [path.join(TESTS, 'programs/augmentation.ts')],
    ],
  },
  ristretto5: {
    paths: names('ristretto5/index.d.ts'),
    programs: [
      [...inFolder(path.join(TESTS5, 'ours')), ...inFolder(path.join(TESTS5, 'programs'))],
      [
        ...SHARED.map(name => path.join(TESTS, 'ours', `${name}.ts`)),
        path.join(TESTS, 'programs/connect-middleware.ts'),
      ],
      [path.join(TESTS, 'programs/augmentation.ts')],
    ],
  },
};

/** Returns the program of a compiler, and installs it the first time. */
function compiler(/** @type {string} */ version) {
  const folder = path.join(HOME, version);
  const found = path.join(folder, 'node_modules/typescript/bin/tsc');
  if (fs.existsSync(found)) return found;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', `typescript@${version}`];
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`typescript@${version} was not installed`);
  return found;
}

/** Returns the errors that a compiler reports for the programs of a package, one per line. */
function mistakes(/** @type {string} */ version, /** @type {string} */ tsc, /** @type {string} */ name) {
  const { paths, programs } = PACKAGES[name];
  // Newer than TypeScript 5.4
  const isolated = version.startsWith('5.4.') ? {} : { isolatedDeclarations: true };
  const settings = [
    ...programs.map(files => ({ compilerOptions: { ...OPTIONS, paths }, files })),
    { compilerOptions: { ...OPTIONS, paths, ...strictest, ...isolated }, include: application },
  ];
  return settings.flatMap((content, at) => {
    const config = path.join(HOME, version, `${name}.${at}.json`);
    fs.writeFileSync(config, JSON.stringify(content));
    const args = [tsc, '-p', config, '--pretty', 'false'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? [] : [...(stdout + stderr).trim().split('\n')];
  });
}

const { positionals } = readOptions({}, { words: true });
const chosen = matching(VERSIONS, positionals);
const application = tutorial();
for (const version of chosen) {
  const tsc = compiler(version);
  for (const name of Object.keys(PACKAGES)) {
    const found = mistakes(version, tsc, name);
    console.log(`${found.length === 0 ? '✔' : '✖'} TypeScript ${version}: ${name}`);
    for (const line of found) console.log(`    ${line}`);
    if (found.length > 0) process.exitCode = 1;
  }
}
