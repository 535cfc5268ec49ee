/**
 * One process of the measured application: a page of posts from PostgreSQL with a session from Redis, and a post as
 * JSON.
 *
 *     PORT=0 DATABASE_URL=... REDIS_URL=... node proofs/bench/scale/server.cjs ristretto|express4|fastify
 *
 * Prints its port. The routes are written as in each framework's own documentation, with the same stores.
 */
'use strict';
const { openStores } = require('./stores.cjs');

const applications = {
  ristretto: stores => require('./express.cjs')(require('../../../packages/ristretto'), stores),
  express4: stores => require('./express.cjs')(require('express4'), stores),
  fastify: stores => require('./fastify.cjs')(stores),
};

async function main() {
  const listen = applications[process.argv[2]](await openStores());
  console.log(await listen(Number(process.env.PORT)));
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
