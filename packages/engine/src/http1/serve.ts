/** The entry point of HTTP/1.1: a server whose requests and responses have the application's prototypes from the start. */
import { IncomingMessage } from 'node:http';
import type { Server } from 'node:http';
import { messageClasses } from '../http/adopt';
import type { Adopter } from '../http/adopt';
import { serveWithClasses } from './message-classes';

/**
 * Makes a server create its messages with an application's classes, if possible.
 * @param app the application, as registered for the `request` event
 */
export function serve(app: Adopter, server: Server): void {
  serveWithClasses(server, app, messageClasses(app));
}

/** Does so for the server that received a request, if the request is Node's own, from the next request on. */
export function serveNext(app: Adopter, req: object): void {
  if (Object.getPrototypeOf(req) !== IncomingMessage.prototype) return;
  const server = (req as { socket?: { server?: Server } | null }).socket?.server;
  if (server) serve(app, server);
}
