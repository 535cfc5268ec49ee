/** Starts the board, prints its address, and stops without losing a request. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import web from 'ristretto';
import { makeApp } from './app.js';
import { readConfig } from './config.js';
import { log } from './log.js';
import { makeServices, openDatabase, prepareAdministrator } from './services.js';

async function start() {
  const config = readConfig(process.env);
  const db = await openDatabase(config);
  const services = await makeServices(config, db);
  const server = makeApp(services, config).listen(config.socket ?? config.port);
  let port: number;
  let password: string;
  let stopping: ReturnType<typeof web.stopOnSignals>;
  try {
    await once(server, 'listening');
    // Read now, because a signal may close the server while the password is hashed.
    ({ port } = server.address() as AddressInfo);
    // From here on there are requests, which a signal must not interrupt.
    stopping = web.stopOnSignals(server, {
      delay: config.stopDelay,
      drain: config.stopDrain,
      timeout: config.stopDelay + config.stopDrain + 10_000,
    });
    // Printed only now: if a start failed after generating a password, the password would be stored but printed
    // nowhere.
    password = await prepareAdministrator(services.users, config.adminPassword);
  } catch (error) {
    server.close();
    await services.close();
    throw error;
  }
  console.log(`
  The board is at     http://localhost:${port}
  Administrator       admin, at http://localhost:${port}/login
  Password            ${password}
  The data is in      ${db.place}
`);

  const { signal } = await stopping;
  await services.close();
  log.info(`${signal}: stopped`);
}

start().catch((reason: unknown) => {
  const error = reason as NodeJS.ErrnoException & { port?: number };
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${error.port} is in use by another program. Choose another one: PORT=3001 npm start`
      : error.message || String(error);
  console.error(message);
  process.exitCode = 1;
});
