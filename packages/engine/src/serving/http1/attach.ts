/**
 * The entry point of HTTP/1.1: a server whose requests and responses have the application's prototypes from the start.
 * Registers how complete responses are sent on connections.
 */
import type { Server } from 'node:http';
import { hasOwnHeaders, messageClasses, onNativeRequest, prototypesOf } from '../adopt';
import type { Adopter } from '../adopt';
import { onUnread } from '../bypass-stream';
import { keepTick } from '../keep-tick';
import { onResponsePrototypes } from '../message-prototypes';
import { WRITER } from '../write-content';
import { isLight } from './light-exchange';
import { serveWithClasses } from './message-classes';
import { writeOverHttp1 } from './write';
import { endAtOnce } from './write-response';

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
export function attachHttp1(app: Adopter, server: Server): void {
  if (!hasOwnHeaders(prototypesOf(app))) serveWithClasses(server, app, messageClasses(app));
  if (applications.has(server)) return;
  applications.set(server, app);
  prepare?.(server);
}

keepTick();
onUnread(isLight);

// Adopts the server that received the request; its next requests are ours.
onNativeRequest((app, req) => {
  const { server } = (req.socket ?? {}) as { server?: Server | null };
  if (server) attachHttp1(app, server);
});

onResponsePrototypes(prototype => {
  Object.defineProperty(prototype, WRITER, { value: writeOverHttp1, writable: true });
  endAtOnce(prototype);
});
