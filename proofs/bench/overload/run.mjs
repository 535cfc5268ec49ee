/**
 * Servers under three times their capacity, and under 800 connections that never wait: how much they still deliver, how
 * long accepted requests take, and how long health checks do. Prints tables.
 *
 *     npm --prefix proofs/bench install && node proofs/bench/overload/run.mjs [--seconds=15] [kind …]
 */
import { matching, readOptions } from '../../../scripts/options.cjs';
import { closedLoop, openLoop, useServer } from './load.mjs';

/** What each server is without protection, whose peak is its capacity: one that overloads does so in a load of connections that never wait. */
const KINDS = {
  bare: 'bare',
  express: 'express',
  fastify: 'fastify',
  'fastify with under-pressure': 'fastify',
  ristretto: 'ristretto',
  'ristretto with web.overload': 'ristretto',
};
const { values, positionals } = readOptions({ seconds: { type: 'string', default: '15' } }, { words: true });
const chosen = matching(Object.keys(KINDS), positionals);
const SECONDS = Number(values.seconds);
const CONNECTIONS = 800;

const show = value => (value === undefined ? 'none' : String(Math.round(value)));
const percent = (value, of) => (of === undefined ? '' : `${Math.round((value / of) * 100)} %`);

function row(name, record, peak) {
  const cells = [
    name,
    show(record.goodput),
    percent(record.goodput, peak?.goodput),
    percent(record.efficiency, peak?.efficiency),
    show(record.rank(0.5)),
    show(record.rank(0.99)),
    show(record.rejected / SECONDS),
    record.failed,
    show(record.rank(0.5, record.health)),
    show(record.rank(1, record.health)),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  return record;
}

for (const kind of chosen) {
  const peak = await useServer(KINDS[kind], server => closedLoop(server, 40, SECONDS));
  await useServer(kind, async server => {
    console.log(`\n**${kind}**\n`);
    console.log(
      '| load | 200/s | of peak | of peak, by processor time | p50 | p99 | 503/s | failed | health p50 | health max |',
    );
    console.log(`|${' --- |'.repeat(10)}`);
    row('one at a time', await closedLoop(server, 1, SECONDS));
    row('peak (40 connections)', peak, peak);
    row('three times the peak', await openLoop(server, peak.goodput * 3, SECONDS), peak);
    row(`${CONNECTIONS} connections`, await closedLoop(server, CONNECTIONS, SECONDS), peak);
  });
}
