/** The application on `app.listen`, until a signal stops it: says on its output where it listens, and how it ended. */
import web from '../../packages/ristretto/index.js';
import { app } from './app.mjs';

const say = message => process.stdout.write(`${JSON.stringify(message)}\n`);

let inFlight = 0;
app.on('in flight', () => say({ inFlight: ++inFlight }));

const server = app.listen(0, '127.0.0.1', () => say({ port: server.address().port }));
const report = await web.stopOnSignals(server, {
  deadline: Number(process.env.DEADLINE ?? 5000),
  drain: Number(process.env.DRAIN ?? 20),
  onStop: () => say({ stopping: true }),
});
say({ report });
