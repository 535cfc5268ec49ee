/** Finds the test files, says which of them are slow, and which run at the same time or in one process. */
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

/** Tests with examples, much random input, growth over time, processes, tarballs and compilers: most of the total time. */
const SLOW = [
  /\/(?:cli|deferred|diagnose|debug|repository|warnings)\./,
  /\/(?:http\.native|http\.write(?:\.express)?|internals\.(?:instrumentation|stack|tracing)|router\.paths|tracers|web\.(?:deadline|stopOnSignals))\.test/,
  /^examples\//,
  /\/(?:differential|fuzz|faults)\//,
  /\/linear-time\./,
  /\.random\.test/,
  /\.(?:differential|types)\.test/,
  /\/package\.(?:bundle|composite|contents|docstrings|library|nodes|syntax|tarball)\./,
  /\/(?:compression|http\.(?:header-store|linter\.tap|patched)|multer\.threats|protocol\.(?:content-type|proxy|query-string|url)|web\.(?:openApi\.lint|static\.spellings))\.test/,
  /ristretto5\/test\/threats\.test/,
  /\/(?:app\.use\.mixed|http\.conformance(?:\.strict)?|http\.proof|http2\.leaks|http2\.safety|res\.jsonp)\.test/,
];

/** Whether a test file takes long: the quick tests leave it out, and all others start after it. */
export const isSlow = (/** @type {string} */ file) => SLOW.some(slow => slow.test(file));

/** Tests that replace modules of Node, which others would then use, or measure what the whole process does. */
const OWN_PROCESS = /\.windows\.test|\/web\.metrics\.test/;

/** More files in one process save little time, and at the end leave the other processors idle for longer. */
const LARGEST_BATCH = 10;

/** Whether a test file can run in a process with others. */
function isShared(/** @type {string} */ file) {
  const { isExempted } = require('../packages/engine/test/support/lint-response/exemptions.ts');
  return !isSlow(file) && !OWN_PROCESS.test(file) && !isExempted(path.basename(file));
}

/** Writes a module that loads test files; returns its path. Runs at the same time share the folder. */
function writeBatch(/** @type {string[]} */ files) {
  const names = files.map(file => path.basename(file)).join(', ');
  const text = [
    `process.env.RESPONSE_LINT_FILE = ${JSON.stringify(names)};`,
    ...files.map(file => `require(${JSON.stringify(path.resolve(root, file))});`),
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
