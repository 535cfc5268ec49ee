/**
 * Benchmarks what is parsed from and written to headers and request targets for nearly every request, and what
 * `web.metrics` adds to one.
 *
 *     node proofs/bench/micro/parts.cjs [folder of a build to compare with]
 */
const { channel } = require('node:diagnostics_channel');
const { compare } = require('./measure.cjs');

let count = 0;
const bodies = Array.from({ length: 64 }, (_, i) => JSON.stringify({ id: i, name: 'ada' }));

const query = text => load => {
  const parse = load('../../engine/lib/protocol/query-string').extendedQueryParser();
  return () => parse(text);
};

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const metrics = load => {
  const { RequestMetrics } = load('../../engine/lib/addons/telemetry/request-metrics');
  return new RequestMetrics(BUCKETS, 2000);
};

compare({
  'query: none': query(''),
  'query: two pairs': query('page=2&sort=name'),
  'query: a nested key': query('filter[name]=ada&filter[age]=36'),
  'entity tag: the body before': load => {
    const { entityTag } = load('../../engine/lib/protocol/entity-tag');
    return () => entityTag(bodies[0], true);
  },
  'entity tag: another body': load => {
    const { entityTag } = load('../../engine/lib/protocol/entity-tag');
    return () => entityTag(bodies[count++ & 63], true);
  },
  'path of a target': load => {
    const { pathnameOf } = load('../../engine/lib/protocol/url');
    return () => pathnameOf('/users/42?page=2');
  },
  'metrics: a histogram': load => {
    const to = metrics(load);
    return () => to.record('GET', '/users/:id', 200, (count++ % 60) / 1000);
  },
  'metrics: times, labels and bodies': load => {
    metrics(load);
    const start = channel('tracing:ristretto.request:start');
    const asyncEnd = channel('tracing:ristretto.request:asyncEnd');
    const req = { method: 'GET', matchedPath: '/users/:id' };
    const res = { statusCode: 200, getHeader: () => '5' };
    return () => {
      const message = { req, res };
      start.publish(message);
      asyncEnd.publish(message);
    };
  },
});
