/**
 * The showcase from one process to many: PostgreSQL, Redis and nginx of this machine, all on loopback, in temporary folders.
 *
 *     npm run scale                                   proofs before 2 and 4 processes, then throughput; under ten minutes
 *     npm run scale -- --only rolling --processes 4   proofs whose name has the word
 *     npm run scale -- --faults                       the proofs with a planted fault each, which has to turn them red
 *
 * Needs nginx, PostgreSQL and Redis (`apt-get install nginx-light postgresql redis-server`) and a built package; says so and
 * does nothing where one is missing. Throughput goes to bench/results, unless `--dry` is given.
 */
import { parseArgs } from 'node:util';
import { proofs, prove, proveFaults } from './scale/proofs.mjs';
import { openServices, servers } from './scale/site.mjs';

const MINUTES = 10;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    processes: { type: 'string', default: '2,4' },
    faults: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});

const missing = servers.missingServers() ?? servers.missingProgram('nginx');
if (missing) {
  console.log(`${missing}, so nothing is scaled here.`);
  process.exit();
}
// Whatever hangs: everything that was started ends with this process.
const timer = setTimeout(() => {
  console.error(`This has taken more than ${MINUTES} minutes.`);
  process.exit(1);
}, MINUTES * 60_000);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const chosen = proofs.filter(({ title }) => title.includes(options.only));
const services = await openServices();
try {
  const counts = options.processes.split(',').map(Number);
  let isWell = true;
  for (const count of options.faults ? counts.slice(0, 1) : counts) {
    const run = options.faults ? proveFaults : prove;
    if (!(await run(services, count, chosen))) isWell = false;
  }
  process.exitCode = isWell ? 0 : 1;
} finally {
  await services.close();
  clearTimeout(timer);
}
