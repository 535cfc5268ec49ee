/** Finds the test files, reads where each runs, and says which run at the same time or in one process. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { packageHomes, root } from './packages.cjs';

export { root };

const require = createRequire(import.meta.url);
require('./load-typescript.cjs');

/** One more than there are processors, because many files mostly wait for timers, sockets and processes. */
export const filesAtOnce = Math.max(2, os.availableParallelism()) + 1;

/** Returns every test file, of the packages, the examples and the proofs that run within the suite, relative to the repository and with slashes. */
export function testFiles() {
  const found = [];
  const homes = packageHomes().map(home => `${home}/test`);
  for (const home of [...homes, 'examples', 'proofs/differential', 'proofs/fuzz']) {
    if (!fs.existsSync(path.join(root, home))) continue;
    for (const entry of fs.readdirSync(path.join(root, home), { recursive: true })) {
      const file = String(entry).replaceAll(path.sep, '/');
      if (file.endsWith('.test.ts') && !/(^|\/)(node_modules|fixtures)\//.test(file))
        found.push(`${home}/${file}`);
    }
  }
  return found.sort();
}

/**
 * What the first line of a test file may say about where and how it runs, as in `// runs: slow, built`. Examples are slow, and run
 * on the newest of several Nodes only, because they are not published.
 */
const TAGS = {
  slow: 'much random input, growth over time, processes, tarballs, compilers: not in the quick tests, and started first',
  alone: 'replaces modules of Node, which others would then use, or measures the whole process',
  built:
    'uses the build even when others run on the sources: packages, files and texts that tools look for, other realms',
  once: 'hardly depends on the version of Node (texts, types, expressions, what is loaded when): only on the newest',
  each: 'what is different in each Node: messages, sockets, streams, files, stopping and what tools reach into; others run on the newest and one other',
  ci: 'installs, builds or starts other programs, or analyses every expression: only in CI',
  http1: 'tests HTTP/1.1 itself, or something long that does not depend on the transport: not over HTTP/2',
};

/** @type {Map<string, string[]>} */
const tags = new Map();

/** Whether the first line of a test file has a tag. */
export function hasTag(/** @type {string} */ file, /** @type {keyof typeof TAGS} */ tag) {
  let found = tags.get(file);
  if (found === undefined) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    found = /^\/\/ runs: (.*)/.exec(text)?.[1]?.split(', ') ?? [];
    const unknown = found.find(each => !(each in TAGS));
    if (unknown !== undefined) throw new Error(`${file}: the tags are ${Object.keys(TAGS)}, not ${unknown}`);
    tags.set(file, found);
  }
  return found.includes(tag);
}

/** Returns the titles of the suites in a test file. */
export const suitesOf = (/** @type {string} */ file) =>
  [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(/^ *describe\(\s*(['"`])(.*?)\1/gm)].map(
    ([, , title = '']) => title,
  );

/** Whether a test file is one of the examples. */
export const isExample = (/** @type {string} */ file) => file.startsWith('examples/');

/** Whether a test file takes long: the quick tests leave it out, and all others start after it. */
export const isSlow = (/** @type {string} */ file) => isExample(file) || hasTag(file, 'slow');

/** More files in one process save little time, and at the end leave the other processors idle for longer. */
const LARGEST_BATCH = 10;

/** Whether a test file can run in a process with others. */
function isShared(/** @type {string} */ file) {
  const { isExempted } = require('../packages/engine/test/support/lint-response/exemptions.ts');
  // All files of a process are loaded before the first test runs: the last one would set the environment of all
  const setsEnvironment = /^(?:delete )?process\.env\b/m.test(fs.readFileSync(path.join(root, file), 'utf8'));
  return !isSlow(file) && !hasTag(file, 'alone') && !setsEnvironment && !isExempted(path.basename(file));
}

/** Writes a module that loads test files; returns its path. Runs at the same time share the folder. */
function writeBatch(/** @type {string[]} */ files) {
  const names = files.map(file => path.basename(file)).join(', ');
  const text = [
    `process.env.RESPONSE_LINT_FILE = ${JSON.stringify(names)};`,
    'const environment = JSON.stringify(process.env);',
    `for (const file of ${JSON.stringify(files.map(file => path.resolve(root, file)))}) {`,
    '  require(file);',
    // The tests of all other files would run with it
    '  if (JSON.stringify(process.env) !== environment)',
    '    throw new Error(`${file} sets the environment when it is loaded: do so in before(), and undo it in after()`);',
    '}',
    '',
  ].join('\n');
  const folder = path.join(root, 'node_modules/.cache/batches');
  fs.mkdirSync(folder, { recursive: true });
  const module = path.join(folder, `${createHash('sha1').update(text).digest('hex')}.cjs`);
  fs.writeFileSync(module, text);
  return module;
}

/**
 * Returns what to run, each in a process of its own: first slow files, because at the end one of them would leave the
 * other processors idle, and then modules that load several fast files, because a process with the helpers and Express
 * takes longer to start than most files take to run.
 */
export function inProcesses(/** @type {string[]} */ files) {
  const shared = files.filter(isShared);
  const size = Math.min(LARGEST_BATCH, Math.ceil(shared.length / (4 * filesAtOnce)));
  const batches = [];
  for (let at = 0; at < shared.length; at += size) batches.push(shared.slice(at, at + size));
  return [
    ...files.filter(isSlow),
    ...files.filter(file => !isSlow(file) && !isShared(file)),
    ...batches.map(batch => (batch.length > 1 ? writeBatch(batch) : String(batch[0]))),
  ];
}
