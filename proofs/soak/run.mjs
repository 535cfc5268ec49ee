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
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { matching, readOptions } from '../../scripts/options.cjs';
import { rollingRestart } from './rolling-restart.mjs';
import { abortHttp2, abortMidBody, abortMidResponse } from './rows/aborts.mjs';
import { errors, lateError } from './rows/errors.mjs';
import { idleSockets } from './rows/idle.mjs';
import { soak } from './rows/mixed.mjs';
import { slowBody, slowHeaders, slowRead } from './rows/slow.mjs';
import { gracefulStop, hungClient } from './rows/stop.mjs';
import { largeUpload, refusedUpload } from './rows/upload.mjs';
import { FRAMEWORKS, makeFolder } from './start.mjs';

const folder = new URL('../bench/results/', import.meta.url);

/** @typedef {{ title: string, goal: string, load: string, cells: Record<string, { figures: string, reached: boolean }> }} Result */

/** The load average of the last minute, which includes other work on the machine. */
const load = () => loadavg()[0].toFixed(1);

/**
 * @param {string[]} titles of all rows, in order
 * @param {string[]} frameworks
 * @param {Result[]} results
 */
function writeReport(titles, frameworks, results) {
  mkdirSync(folder, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const file = new URL(`operations-${date}.json`, folder);
  /** @type {Result[]} */
  const earlier = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const all = titles.flatMap(title => [...results, ...earlier].find(result => result.title === title) ?? []);
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  const line = cells => `| ${cells.join(' | ')} |`;
  const head = ['what goes wrong', 'goal', ...frameworks, 'load average'];
  const rows = all.map(({ title, goal, load, cells }) => [
    title,
    goal,
    ...frameworks.map(name => `${cells[name].reached ? '✔' : '✖'} ${cells[name].figures}`),
    load,
  ]);
  const text = `# Operation under stress, ${date}

Node ${process.version}, ${cpus().length} cores, ${cpus()[0].model}; servers and load on the same machine. The load average
is that before each row: above ${cpus().length}, the machine had other work, and times are longer for it. Made by \`npm run soak\`.

${line(head)}
${line(head.map(() => '---'))}
${rows.map(line).join('\n')}
`;
  writeFileSync(new URL(`operations-${date}.md`, folder), text);
}

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
