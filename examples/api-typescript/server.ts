/** Starts the server, and shuts it down without failing a request. Run at the root: `npx tsx examples/api-typescript/server.ts` */
import web from 'ristretto';
import { createApp } from './app.js';

const port = Number(process.env.PORT ?? 3000);
const server = createApp().listen(port, () => {
  console.log(`http://localhost:${port}/docs`);
});
void web.stopOnSignals(server, { timeout: 10_000 });
