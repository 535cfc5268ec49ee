/** Starts a process of the board, prints its address, and stops without losing a request. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import web from 'ristretto';
import { makeApp } from './app.js';
import { readConfig } from './config.js';
import { joinFleet } from './fleet/member.js';
import { log } from './log.js';
import { greet, makeServices, openDatabase, prepareAdministrator, reportFailure } from './services.js';

async function start() {
  const config = readConfig(process.env);
  const fleet = cluster.isWorker ? joinFleet() : undefined;
  const db = await openDatabase(config, fleet);
  const services = await makeServices(config, db, fleet);
  const server = makeApp(services, config).listen(config.socket ?? config.port);
  let port: number;
  let password: string;
  let stopping: ReturnType<typeof web.stopOnSignals>;
  try {
    await once(server, 'listening');
    // Read now, because a signal may close the server while the password is hashed.
    ({ port } = server.address() as AddressInfo);
    // From here on, a signal must not interrupt requests. An uncaught error is reported, and stops the process in the
    // same way.
    stopping = web.stopOnSignals(server, {
      delay: config.stopDelay,
      drain: config.stopDrain,
      timeout: config.stopDelay + config.stopDrain + 10_000,
      uncaught: error => log.fatal({ err: error }, 'uncaught'),
    });
    // Printed only now: if a start failed after generating a password, the password would be stored but printed
    // nowhere.
    password = fleet
      ? ''
      : await prepareAdministrator(services.users, config.adminPassword, config.printsPassword);
  } catch (error) {
    server.close();
    await services.close();
    throw error;
  }
  if (fleet) fleet.report(server);
  else greet({ port, password, place: db.place });

  const { signal } = await stopping;
  await services.close();
  log.info(`${signal}: stopped`);
  cluster.worker?.disconnect();
}

start().catch((error: unknown) => {
  reportFailure(error);
  // The channel to the primary process would keep this one running.
  cluster.worker?.disconnect();
});
