/**
 * Tests the showcase with one and several processes: PostgreSQL, Redis and nginx of this machine, all on loopback, in
 * temporary directories.
 *
 *     npm run scale                                   proofs with 2 and 4 processes, then throughput; a quarter of an hour
 *     npm run scale -- --only rolling --processes 4   the proof in proofs/scale/proofs/rolling.mjs
 *     npm run scale -- --throughput                   throughput only; --rounds=5 --seconds=2
 *     npm run scale -- --faults                       the proofs with one planted fault each, which must make them fail
 *
 * Requires nginx, PostgreSQL and Redis (`apt-get install nginx-light postgresql redis-server`), for one proof Chromium, and a built package; if
 * one is missing, it prints a notice and does nothing. Throughput is written to proofs/bench/results, unless `--dry` is given.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readOptions } from '../../scripts/options.cjs';
import { proofs, prove, proveFaults } from './proofs.mjs';
import { openServices, servers } from './site.mjs';
import { root } from '../../scripts/test-files.mjs';

const MINUTES = 20;

const { values: options } = readOptions({
  only: { type: 'string', default: '' },
  processes: { type: 'string', default: '2,4' },
  faults: { type: 'boolean', default: false },
  throughput: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '2' },
  dry: { type: 'boolean', default: false },
});

const chosen = proofs.filter(({ name }) => options.only === '' || name === options.only);
if (chosen.length === 0) {
  console.error(
    `No proof is called "${options.only}". There are: ${proofs.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

const missing = servers.missingServers() ?? servers.missingProgram('nginx');
if (missing) {
  console.log(`${missing}, so nothing is scaled here.`);
  process.exit();
}
// If anything hangs, everything that was started ends with this process.
const timer = setTimeout(() => {
  console.error(`This has taken more than ${MINUTES} minutes.`);
  process.exit(1);
}, MINUTES * 60_000);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const services = await openServices();

/** Runs the proofs, as configured or with faults. */
async function runProofs() {
  const counts = options.processes.split(',').map(Number);
  let isWell = true;
  for (const count of options.faults ? counts.slice(0, 1) : counts) {
    const run = options.faults ? proveFaults : prove;
    if (!(await run(services, count, chosen))) isWell = false;
  }
  process.exitCode = isWell ? 0 : 1;
}

/** Measures throughput, or reports what is missing: the other frameworks are not dependencies of the repository. */
async function runThroughput() {
  const lacking = servers.missingProgram('wrk') ?? missingPeer();
  if (lacking) return console.log(`${lacking}, so throughput is not measured.`);
  const [{ measureThroughput }, { report }] = await Promise.all([
    import('../bench/scale/throughput.mjs'),
    import('../bench/scale/report.mjs'),
  ]);
  const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
  await report(await measureThroughput(services, { rounds, seconds }), {
    rounds,
    seconds,
    isDry: options.dry,
  });
}

const missingPeer = () =>
  fs.existsSync(path.join(root, 'proofs/bench/node_modules/fastify'))
    ? undefined
    : 'Fastify is not installed (npm --prefix proofs/bench install)';

try {
  if (!options.throughput) await runProofs();
  if (options.throughput || !(options.faults || options.only)) await runThroughput();
} finally {
  await services.close();
  clearTimeout(timer);
}
