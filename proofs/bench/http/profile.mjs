/**
 * Where the processor time of a request is spent, from the kernel up to the handler, by Linux's `perf`.
 *
 *     node proofs/bench/http/profile.mjs 'json hello;POST 1 KiB JSON' --frameworks bare,ristretto --node /path/to/node
 *
 * prints all kinds; the benchmark uses the time of a framework's own code.
 */
import { readOptions } from '../../../scripts/options.cjs';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load, prepare } from './load.mjs';
import { files, start, tell } from './processes.mjs';
import { scenarios } from './scenarios.mjs';

const SECONDS = 3;
const recording = join(tmpdir(), `profile-${process.pid}.data`);

/** The kind of a sample: the first of these that matches one of its frames, starting with the innermost. */
const kinds = {
  'garbage collector': /Heap::CollectGarbage|Scaveng|MarkCompact|Marking|Sweeper/,
  compiler: /maglev|compiler::|OptimizingCompile|Compiler::/,
  JSON: /Json(Parser|Stringif)/,
  cryptography: /crypto|evp_|EVP_|sha1|sha256/i,
};

/** @param {string[]} frames of one sample, innermost first, as `address symbol (binary)` */
function kindOf(frames) {
  if (frames[0].endsWith('([kernel.kallsyms])')) return 'kernel';
  for (const [kind, pattern] of Object.entries(kinds))
    if (frames.some(frame => pattern.test(frame))) return kind;
  // Compiled code and built-in functions of the engine are JavaScript
  const isJavaScript = /JS:|Builtins_/.test(frames[0]);
  const caller = frames.find(frame => frame.includes('JS:'));
  if (!isJavaScript || caller === undefined) return 'runtime, native';
  if (/node:[\w/]+:\d/.test(caller)) return 'runtime, JavaScript';
  return /\/packages\/(?:engine|ristretto)\/lib\//.test(caller) ? 'ristretto' : 'other packages, handler';
}

/** Returns the shares of the kinds among the samples taken while `work` runs. */
async function record(pid, work) {
  const perf = spawn('perf', ['record', '-e', 'cpu-clock', '-F', '1999', '-g', '-p', pid, '-o', recording], {
    stdio: 'ignore',
  });
  await work();
  const over = new Promise(resolve => perf.once('exit', resolve));
  perf.kill('SIGINT');
  await over;
  const { stdout } = await promisify(execFile)('perf', ['script', '-i', recording, '-F', 'ip,sym,dso'], {
    maxBuffer: 2 ** 30,
  });
  const samples = stdout
    .split('\n\n')
    .map(sample => sample.trim())
    .filter(sample => sample !== '');
  const shares = {};
  for (const sample of samples) {
    const kind = kindOf(sample.split('\n').map(frame => frame.trim()));
    shares[kind] = (shares[kind] ?? 0) + 1 / samples.length;
  }
  return shares;
}

/** Returns the microseconds that a request takes, by kind; `all` is the sum. */
async function profile(framework, name, node, connections) {
  const { request: given, http2 } = scenarios[name];
  const { child, port } = await start(framework, name, given.path, node, ['--perf-basic-prof']);
  const request = await prepare(port, { ...given, http2 });
  await load(port, request, { seconds: 2 }, connections);
  let microseconds = 0;
  const shares = await record(String(child.pid), async () => {
    const before = await tell(child, 'processor time');
    const { count } = await load(port, request, { seconds: SECONDS }, connections);
    microseconds = ((await tell(child, 'processor time')) - before) / count / 1000;
  });
  child.kill('SIGKILL');
  rmSync(`/tmp/perf-${child.pid}.map`, { force: true });
  rmSync(recording, { force: true });
  const entries = Object.entries(shares).map(([kind, share]) => [kind, share * microseconds]);
  return { all: microseconds, ...Object.fromEntries(entries) };
}

/**
 * Returns the microseconds that each framework's own JavaScript takes for a request, with its packages and the handler,
 * but without Node's functions, system calls, garbage collection and compilation.
 */
export async function ownTimes(frameworks, name, node, connections) {
  const times = {};
  for (const framework of frameworks) {
    const found = await profile(framework, name, node, connections);
    times[framework] = Number(((found.ristretto ?? 0) + (found['other packages, handler'] ?? 0)).toFixed(2));
  }
  return times;
}

async function main() {
  const { values: options, positionals } = readOptions(
    {
      frameworks: { type: 'string', default: 'bare,ristretto' },
      node: { type: 'string', default: process.execPath },
    },
    { words: true },
  );
  const version = execFileSync(options.node, ['--version'], { encoding: 'utf8' }).trim();
  for (const name of positionals[0].split(';')) {
    console.log(`\n${name}, Node ${version}`);
    for (const framework of options.frameworks.split(',')) {
      const found = await profile(framework, name, options.node, 16);
      const times = Object.entries(found).sort((a, b) => b[1] - a[1]);
      console.log(framework.padEnd(10), times.map(([kind, time]) => `${kind} ${time.toFixed(2)}`).join(', '));
    }
  }
  rmSync(files, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
