/**
 * Measures what `web.metrics` costs a request, without the channel and with it.
 *
 *     node proofs/bench/micro/metrics.cjs
 */
'use strict';
require('../../../scripts/options.cjs').readOptions({});
const { channel } = require('node:diagnostics_channel');
const { RequestMetrics } = require('../../../packages/engine/lib/addons/telemetry/request-metrics');

const ROUNDS = 300_000;

function nanoseconds(run) {
  let best = Infinity;
  for (let i = 0; i < 7; i++) {
    const start = process.hrtime.bigint();
    for (let j = 0; j < ROUNDS; j++) run(j);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / ROUNDS);
  }
  return Math.round(best);
}

const metrics = new RequestMetrics(
  [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  2000,
);
console.log(
  'histogram',
  nanoseconds(i => metrics.record('GET', '/users/:id', 200, (i % 60) / 1000)),
  'ns',
);

const start = channel('tracing:ristretto.request:start');
const asyncEnd = channel('tracing:ristretto.request:asyncEnd');
const req = { method: 'GET', matchedPath: '/users/:id' };
const res = { statusCode: 200, getHeader: () => '5' };
const both = nanoseconds(() => {
  const message = { req, res };
  start.publish(message);
  asyncEnd.publish(message);
});
console.log('with times, labels and bodies', both, 'ns');
metrics.close();
