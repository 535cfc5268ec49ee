/** Starts the chat: `node examples/chat`; with REDIS_URL, in any number of processes. */
'use strict';
const web = require('ristretto');
const { createChat } = require('./app');
const { makeMemoryBus, makeRedisBus } = require('./bus');

async function main() {
  const { PORT = 3000, REDIS_URL, SESSION_SECRET } = process.env;
  const bus = REDIS_URL === undefined ? makeMemoryBus() : await makeRedisBus(REDIS_URL);
  let store;
  if (REDIS_URL !== undefined) {
    const { RedisStore } = require('connect-redis');
    const { createClient } = require('redis');
    const client = createClient({ url: REDIS_URL });
    client.on('error', error => console.error(String(error)));
    await client.connect();
    store = new RedisStore({ client, prefix: 'chat:session:' });
  }
  const limits = { maxConnectionsPerAddress: Number(process.env.PER_ADDRESS ?? 100) };
  const app = createChat({ bus, store, secret: SESSION_SECRET, limits });
  const server = app.listen(Number(PORT), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${server.address().port}`);
  });
  const { sockets } = await web.stopOnSignals(server, { timeout: '10s' });
  console.log(`stopped, with ${sockets ?? 0} sockets closed`);
  process.exit();
}

void main();
