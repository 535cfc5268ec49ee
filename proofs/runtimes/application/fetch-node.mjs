/** `app.fetch` with a package that converts Node's requests to `Request` objects. */
import { serve } from 'srvx/node';
import { app } from './app.mjs';

const server = serve({
  fetch: app.fetch,
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
  gracefulShutdown: false,
});
await server.ready();
process.stdout.write(`${JSON.stringify({ port: Number(new URL(server.url).port) })}\n`);
