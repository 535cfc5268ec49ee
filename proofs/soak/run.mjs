/**
 * Operation under stress: every row of faults against Ristretto, Express 4 and bare `node:http`.
 *
 *     npm run soak                                      all rows at full size, about half an hour
 *     npm run soak -- --only abort                      rows whose name contains the word
 *     npm run soak -- --scale 0.02                      quick, writes nothing
 *
 * Needs slowhttptest and nginx (`apt-get install slowhttptest nginx-light`) and a limit of 20,000 open files. Results
 * go to proofs/bench/results.
 */
import { matching, readOptions } from '../../scripts/options.cjs';
import { rmSync } from 'node:fs';
import { load, writeReport } from './report.mjs';
import { rollingRestart } from './rolling-restart.mjs';
import { abortHttp2, abortMidBody, abortMidResponse } from './rows/aborts.mjs';
import { errors, lateError } from './rows/errors.mjs';
import { idleSockets } from './rows/idle.mjs';
import { soak } from './rows/mixed.mjs';
import { slowBody, slowHeaders, slowRead } from './rows/slow.mjs';
import { gracefulStop, hungClient } from './rows/stop.mjs';
import { largeUpload, refusedUpload } from './rows/upload.mjs';
import { FRAMEWORKS, makeFolder } from './start.mjs';

const rows = [
  ...[gracefulStop, hungClient, rollingRestart, slowHeaders, slowBody, slowRead, errors, lateError],
  ...[abortMidBody, abortMidResponse, abortHttp2, idleSockets, largeUpload, refusedUpload, soak],
];

const { values: options } = readOptions({
  only: { type: 'string', default: '' },
  scale: { type: 'string', default: '1' },
  frameworks: { type: 'string', default: FRAMEWORKS.join() },
  dry: { type: 'boolean', default: false },
});
const scale = Number(options.scale);
const frameworks = options.frameworks.split(',');
const titles = rows.map(({ title }) => title);
const results = [];
for (const row of matching(rows, [options.only], ({ title }) => title)) {
  const order = frameworks.toSorted((a, b) => Number(b === row.first) - Number(a === row.first));
  const before = load();
  const measure = async framework => {
    const folder = makeFolder();
    try {
      return [framework, await row.run(framework, { folder, scale })];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const measured = [];
  // Long rows with little load run concurrently.
  if (row.together) measured.push(...(await Promise.all(order.map(measure))));
  else for (const framework of order) measured.push(await measure(framework));
  const cells = Object.fromEntries(measured);
  results.push({ title: row.title, goal: row.goal, load: before, cells });
  if (!options.dry && scale === 1) writeReport(titles, frameworks, results);
  console.log(row.title);
  for (const framework of frameworks) {
    const { figures, reached } = cells[framework];
    console.log(`  ${reached ? '✔' : '✖'} ${framework}: ${figures}`);
  }
}
if (results.some(({ cells }) => cells.ristretto?.reached === false)) process.exitCode = 1;
