/** The entry point of HTTP/1.1: a server whose requests and responses have the application's prototypes from the start. */
import { IncomingMessage } from 'node:http';
import type { Server } from 'node:http';
import { messageClasses } from '../http/adopt';
import type { Adopter } from '../http/adopt';
import { serveWithClasses } from './message-classes';

/** The applications of servers, even if a tool has put its own listener in front of one. */
const applications = new WeakMap<object, Adopter>();
let prepare: ((server: Server) => void) | undefined;

/** Returns the application that a server was created for, or that has received one of its requests. */
export function applicationOf(server: object): Adopter | undefined {
  return applications.get(server);
}

/** Calls a function with each server that becomes known. */
export function onServer(listener: (server: Server) => void): void {
  prepare = listener;
}

/**
 * Makes a server create its messages with an application's classes, if possible.
 * @param app the application, as registered for the `request` event
 */
export function serve(app: Adopter, server: Server): void {
  serveWithClasses(server, app, messageClasses(app));
  if (applications.has(server)) return;
  applications.set(server, app);
  prepare?.(server);
}

/** Does so for the server that received a request, if the request is Node's own, from the next request on. */
export function serveNext(app: Adopter, req: object): void {
  if (Object.getPrototypeOf(req) !== IncomingMessage.prototype) return;
  const server = (req as { socket?: { server?: Server } | null }).socket?.server;
  if (server) serve(app, server);
}
