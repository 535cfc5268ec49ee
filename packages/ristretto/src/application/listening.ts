/** `app.listen`: a server whose requests and responses have the application's prototypes from the start. */
import * as http from 'node:http';
import type { Server } from 'node:http';
import { adoptServer } from '../http/adopt';
import type { Application } from '../types/internals';

/**
 * Creates an HTTP server for the application and listens.
 *
 * @param args those of Node's `server.listen`: port (0 or none for any free one), host, backlog, callback; the path of
 *   a UNIX socket; a handle; or an options object
 * @returns Node's server; where it can't listen, it emits `error`, and the callback is not called
 * @example app.listen(3000, () => console.log('ready'));
 */
export function listen(this: Application, ...args: unknown[]): Server {
  // Tools replace `http.createServer` by functions that take the listener alone.
  const server = http.createServer(this);
  adoptServer(this, server);
  return server.listen(...(args as Parameters<Server['listen']>));
}
