/** Serves the application with `app.listen` until a signal stops it: prints its address, and how it stopped. */
import web from '../../../packages/ristretto/index.js';
import { app } from './app.mjs';

const say = message => process.stdout.write(`${JSON.stringify(message)}\n`);

let inFlight = 0;
app.on('in flight', () => say({ inFlight: ++inFlight }));

const server = app.listen(0, '127.0.0.1', () => say({ port: server.address().port }));
const report = await web.stopOnSignals(server, {
  timeout: Number(process.env.TIMEOUT ?? 5000),
  drain: Number(process.env.DRAIN ?? 20),
  onStop: () => say({ stopping: true }),
});
say({ report });

// Programs export it for their tests. Bun would serve a default export that looks like a server.
export default app;
