// @ts-check
/** Starts the guest book, tells where it is, and stops it when it is asked to. */
import web from 'ristretto';
import { makeApp } from './app.js';
import { configFromEnvironment } from './config.js';

const config = configFromEnvironment(process.env);
const server = makeApp(config).listen(config.port, () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : address;
  console.log(`The guest book is at http://localhost:${port}`);
  if (config.passwordIsMadeUp) console.log(`The password of /admin is ${config.adminPassword}`);
});

server.on('error', err => {
  console.error(`Cannot listen: ${err.message}`);
  process.exitCode = 1;
});

web
  .stopOnSignals(server, { onStop: signal => console.log(`${signal}: finishing what is under way`) })
  .then(() => console.log('Bye'));
