/**
 * Shows where the processor time of a request is spent, in microseconds, from the kernel up to the handler, using
 * Linux's `perf`.
 *
 *     node bench/http/profile.mjs 'json hello;POST 1 KiB JSON' --frameworks bare,ristretto --node /path/to/node
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { files, load, prepare, start, tell } from './processes.mjs';
import { scenarios } from './scenarios.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    frameworks: { type: 'string', default: 'bare,ristretto' },
    node: { type: 'string', default: process.execPath },
  },
});
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
  // compiled code and built-in functions of the engine are JavaScript
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

async function profile(framework, name) {
  const server = await start(framework, name, options.node, ['--perf-basic-prof']);
  const { child, port } = server;
  const request = await prepare(port, scenarios[name].request);
  await load(port, request, 2);
  let microseconds = 0;
  const shares = await record(String(child.pid), async () => {
    const before = await tell(child, 'processor time');
    const perSecond = await load(port, request, SECONDS);
    microseconds = (((await tell(child, 'processor time')) - before) * 1e6) / (perSecond * SECONDS);
  });
  child.kill('SIGKILL');
  rmSync(`/tmp/perf-${child.pid}.map`, { force: true });
  const entries = Object.entries(shares).map(([kind, share]) => [kind, share * microseconds]);
  return { all: microseconds, ...Object.fromEntries(entries) };
}

const version = execFileSync(options.node, ['--version'], { encoding: 'utf8' }).trim();
for (const name of positionals[0].split(';')) {
  console.log(`\n${name}, Node ${version}`);
  for (const framework of options.frameworks.split(',')) {
    const times = Object.entries(await profile(framework, name)).sort((a, b) => b[1] - a[1]);
    console.log(framework.padEnd(10), times.map(([kind, time]) => `${kind} ${time.toFixed(2)}`).join(', '));
  }
}
rmSync(recording, { force: true });
rmSync(files, { recursive: true, force: true });
