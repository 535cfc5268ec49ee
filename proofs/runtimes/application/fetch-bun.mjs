/** `app.fetch` on Bun's own server. */
import { app } from './app.mjs';

const { port } = Bun.serve({
  fetch: app.fetch,
  websocket: app.fetch.websocket,
  port: 0,
  hostname: '127.0.0.1',
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
