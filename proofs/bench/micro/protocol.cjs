/**
 * Benchmarks what is parsed from and written to headers and request targets for nearly every request.
 *
 *     node proofs/bench/micro/protocol.cjs [folder of a build to compare with]
 */
const { compare } = require('./measure.cjs');

let count = 0;
const bodies = Array.from({ length: 64 }, (_, i) => JSON.stringify({ id: i, name: 'ada' }));

const query = text => load => {
  const parse = load('../../engine/lib/protocol/query-string').extendedQueryParser();
  return () => parse(text);
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
});
