/** `app.fetch` on Deno's own server. */
import { app } from './app.mjs';

Deno.serve(
  {
    port: 0,
    hostname: '127.0.0.1',
    onListen: ({ port }) => process.stdout.write(`${JSON.stringify({ port })}\n`),
  },
  app.fetch,
);
