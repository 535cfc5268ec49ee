/** `app.listen`: a server whose requests and responses are the application's from the start. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { messageClasses } from '../http/adopt';
import type { Application } from '../types/internals';

/**
 * Makes an HTTP server for the application and listens.
 *
 * @param args those of the runtime's `server.listen`: port (0 or none for any free one), host, backlog, callback; the
 *   path of a UNIX socket; a handle; or an options object
 * @returns the runtime's server; where it can't listen, it raises `error`, and the callback is not called
 * @example app.listen(3000, () => console.log('ready'));
 */
export function listen(this: Application, ...args: unknown[]): Server {
  const server = createServer(messageClasses(this), this);
  return server.listen(...(args as Parameters<Server['listen']>));
}
