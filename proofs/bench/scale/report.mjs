/** Writes the throughput as JSON, and as a table in Markdown. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { median } from './throughput.mjs';

const folder = new URL('../results/', import.meta.url);
const line = cells => `| ${cells.join(' | ')} |`;
const tableOf = (head, rows) => [head, head.map(() => '---'), ...rows].map(line).join('\n');
const WHO = ['application', 'PostgreSQL', 'Redis', 'nginx'];
const ROUTES = { page: 'page from PostgreSQL, session from Redis', json: 'JSON from PostgreSQL' };

/** Computes the medians over the rounds, and those of the ratios within each round. */
function summary(rows) {
  const find = (route, framework, processes) =>
    rows.find(row => row.route === route && row.framework === framework && row.processes === processes);
  const ratio = (row, other, of) => median(row.runs.map((run, round) => of(run) / of(other.runs[round])));
  const cost = ({ costs }) => costs.application;
  return rows.map(row => {
    const { route, framework, processes, runs } = row;
    const express = find(route, 'express4', processes);
    const one = find(route, framework, 1);
    return {
      ...{ route, framework, processes },
      perSecond: Math.round(median(runs.map(({ perSecond }) => perSecond))),
      costs: Object.fromEntries(
        WHO.map(who => [who, Math.round(median(runs.map(({ costs }) => costs[who])))]),
      ),
      // Requests per second of the application's processor time, relative to Express 4.
      toExpress: Number(ratio(express, row, cost).toFixed(2)),
      costToOne: Number(ratio(row, one, cost).toFixed(2)),
      rateToOne: Number(ratio(row, one, ({ perSecond }) => perSecond).toFixed(2)),
    };
  });
}

/** @param {Awaited<ReturnType<typeof import('./throughput.mjs').measureThroughput>>} rows */
export async function report(rows, { rounds, seconds, isDry }) {
  const results = summary(rows);
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} cores, ${cpus()[0]?.model}`;
  const load = loadavg()[0]?.toFixed(1);
  const head = [
    ...['what is read', 'framework', 'processes', 'application, µs', 'PostgreSQL', 'Redis', 'nginx'],
    ...[
      'per second of the application’s time',
      'to Express 4',
      'requests a second',
      'cost, to one process',
      'rate, to one process',
    ],
  ];
  const cells = results.map(
    ({ route, framework, processes, perSecond, costs, toExpress, costToOne, rateToOne }) => [
      ...[ROUTES[route], framework, processes, ...WHO.map(who => costs[who])],
      ...[Math.round(1e6 / costs.application).toLocaleString('en-US'), toExpress.toFixed(2)],
      ...[perSecond.toLocaleString('en-US'), costToOne.toFixed(2), rateToOne.toFixed(2)],
    ],
  );
  const table = `${tableOf(head, cells)}
`;
  const text = `# One process and two, ${date}

Node ${process.version}, ${machine}; ${rounds} interleaved rounds of ${seconds} seconds, medians and medians of ratios; load average at the
end: ${load}. Made by \`npm run scale\`: wrk over HTTPS, nginx (deploy/nginx/board.conf), the processes, PostgreSQL and Redis
share these cores.

What a request costs is processor time in microseconds, of the application and of everybody else who takes part. Compare
these: requests a second depend on the number of cores. Here one process with nginx, PostgreSQL, Redis and wrk
already has both cores busy, so a second process adds little. With more cores, a process handles at most the
requests in the column “per second of the application’s time”.

${table}`;
  if (!isDry) {
    mkdirSync(folder, { recursive: true });
    const data = { date, node: process.version, machine, load, rounds, seconds, results };
    writeFileSync(new URL(`scale-${date}.json`, folder), `${JSON.stringify(data, null, 2)}\n`);
    writeFileSync(new URL(`scale-${date}.md`, folder), text);
  }
  console.log(table);
}
