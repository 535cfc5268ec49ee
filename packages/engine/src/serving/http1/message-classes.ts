/**
 * Gives a server the message classes of its application, so that requests and responses are created with the
 * application's prototypes. Changing the prototype of an existing object costs more than the rest of a small request.
 *
 * Only requests that are certain to reach the application are created this way. If the server has other listeners, or
 * the application is not its listener itself, messages are Node's own, and `adopt.ts` changes their prototypes when
 * they reach the application.
 */
import * as http from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createRequest, createResponse } from '../adopt';
import type { MessageClasses } from '../adopt';
import { symbolNamed } from '../node-internals';
import { responseHandedOver } from './light-exchange';
import type { Origin } from './light-exchange';
import { beginLight, learn } from './light-heads';

type Listeners = Record<string, unknown>;

interface ListeningServer extends Server {
  /** Undocumented, but as old as `EventEmitter`. If it is missing, messages are Node's own. */
  _events?: Listeners;
}

type Slotted = Server & Record<symbol, unknown>;

/** The symbols under which a server stores its two message classes. */
interface Slots {
  request: symbol;
  response: symbol;
}

/**
 * Makes a server create its messages with an application's classes, from the next request on.
 * @param server the server that received a request, or one that is about to listen
 * @param app the application, as registered for the `request` event
 * @returns whether the server now does so
 */
export function serveWithClasses(server: Server, app: object, classes: MessageClasses): boolean {
  const slots = slotsOf(server);
  if (slots === undefined || !isServedBy(server, app)) return false;
  let isOurs = false;
  // Constructors instead of an accessor, because an accessor would make all properties of the server slow.
  const makeRequest = function (socket: Socket): http.IncomingMessage {
    isOurs = isServedBy(server, app);
    return createRequest(isOurs ? classes : http, socket);
  };
  const slotValues: Record<symbol, unknown> = {
    [slots.request]: makeRequest,
    // Node creates the response right after its request, so the decision for the request applies to both.
    [slots.response]: function (req: http.IncomingMessage, options: object) {
      const existing = responseHandedOver();
      if (existing !== undefined) return existing;
      if (!isOurs) return createResponse(http, req, options);
      const res = createResponse(classes, req, options);
      learn(origin, req, res);
      return res;
    },
  };
  const origin = {
    server,
    app,
    ...classes,
    isCurrent: () =>
      (server as Slotted)[slots.request] === makeRequest && isServedBy(server, app) && isEnabled(app),
  } as unknown as Origin;
  Object.assign(server, slotValues);
  beginLight(origin);
  return true;
}

/** Whether light exchanges are disabled for the process. */
const isOff = process.env.RISTRETTO_LIGHT_MESSAGES === 'off';

function isEnabled({ settings }: { settings?: Record<string, unknown> }): boolean {
  return !isOff && (settings?.['light messages'] ?? true) !== false;
}

/**
 * Returns the undocumented slots, if both exist and hold Node's own classes. A server created with custom classes keeps
 * them.
 */
function slotsOf(server: object): Slots | undefined {
  const request = symbolNamed(server, 'IncomingMessage');
  const response = symbolNamed(server, 'ServerResponse');
  if (request === undefined || response === undefined) return undefined;
  const isNative =
    holds(server, request, http.IncomingMessage) && holds(server, response, http.ServerResponse);
  return isNative ? { request, response } : undefined;
}

function holds(server: object, slot: symbol, value: unknown): boolean {
  return Object.getOwnPropertyDescriptor(server, slot)!.value === value;
}

/** Whether every request of the server goes to the application, and to the application first. */
function isServedBy(server: ListeningServer, app: object): boolean {
  const listeners = server._events;
  if (
    listeners?.request !== app ||
    listeners.checkContinue !== undefined ||
    listeners.checkExpectation !== undefined
  ) {
    return false;
  }
  if (listeners.upgrade !== undefined) guardUpgrades(server, 'upgrade', listeners.upgrade);
  if (listeners.connect !== undefined) guardUpgrades(server, 'connect', listeners.connect);
  return true;
}

/** On a listener: that it passes requests to the application, and to others only as Node's own. */
export const SHARES_UPGRADES: unique symbol = Symbol('shares upgrades');

/**
 * Gives requests Node's own prototype before other listeners handle their upgrade, because they are not the
 * application's.
 */
function guardUpgrades(server: Server, event: 'upgrade' | 'connect', listeners: unknown): void {
  const [first = listeners] = Array.isArray(listeners) ? (listeners as unknown[]) : [];
  if (SHARES_UPGRADES in (first as object)) return;
  if (listeners === restoreNodePrototype) {
    // Node assumes that a server with a listener handles upgrades.
    server.removeListener(event, restoreNodePrototype);
  } else if (first !== restoreNodePrototype) {
    server.removeListener(event, restoreNodePrototype);
    server.prependListener(event, restoreNodePrototype);
  }
}

/** Gives a request Node's own prototype. */
export function restoreNodePrototype(req: object): void {
  Object.setPrototypeOf(req, http.IncomingMessage.prototype);
}
