/** A separate Redis server for the scenario, in memory only. */
'use strict';
const { freePort, start } = require('./program.cjs');

/** Starts the server. @returns {Promise<{ port: number, stop: Function }>} */
async function startRedis() {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return { port, ...(await start('redis-server', args, { ready: /Ready to accept connections/ })) };
}

module.exports = { startRedis };
