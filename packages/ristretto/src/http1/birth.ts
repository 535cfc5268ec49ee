/**
 * Gives a server the classes of its application, so that requests and responses are created with the application's
 * prototypes. Changing the prototype of an existing object costs more than the rest of a small request.
 *
 * Only requests that the application certainly handles are created this way. Where another listener shares the server,
 * or stands before the application, messages are Node's own, and `adopt.ts` changes their prototypes when the
 * application sees them.
 */
import * as http from 'node:http';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { MessageClasses } from '../http/adopt';

/** Node gives a response the settings of its server too. */
type ResponseClass = new (req: http.IncomingMessage, options: unknown) => http.ServerResponse;

type Listeners = Record<string, unknown>;

interface ListeningServer extends Server {
  /** Undocumented, but as old as `EventEmitter`. Where it is missing, messages are Node's own. */
  _events?: Listeners;
}

/** The symbols under which a server keeps its two constructors. */
interface Slots {
  request: symbol;
  response: symbol;
}

/**
 * Lets a server create its messages with an application's classes, from the next request on.
 * @param server the server that a request came from, or one that is about to listen
 * @param app the application, as it is registered for the event `request`
 * @returns whether the server now does so
 */
export function serveWithClasses(server: Server, app: object, classes: MessageClasses): boolean {
  const slots = slotsOf(server);
  if (slots === undefined || !isServedBy(server, app)) return false;
  const { IncomingMessage, ServerResponse } = classes;
  let isOurs = false;
  // A constructor for each slot, and no accessor: a server with an accessor in place of a value has slow properties.
  const slotValues: Record<symbol, unknown> = {
    [slots.request]: function (socket: Socket) {
      isOurs = isServedBy(server, app);
      return isOurs ? new IncomingMessage(socket) : new http.IncomingMessage(socket);
    },
    // Node creates the response right after its request: the decision of the request holds for both.
    [slots.response]: function (req: http.IncomingMessage, options: unknown) {
      return isOurs
        ? new (ServerResponse as ResponseClass)(req, options)
        : new (http.ServerResponse as ResponseClass)(req, options);
    },
  };
  Object.assign(server, slotValues);
  return true;
}

/**
 * Node does not document these slots: they count only if both are there and hold Node's own classes. A server that was
 * created with classes of its own keeps them.
 */
function slotsOf(server: object): Slots | undefined {
  const symbols = Object.getOwnPropertySymbols(server);
  const request = symbols.find(symbol => symbol.description === 'IncomingMessage');
  const response = symbols.find(symbol => symbol.description === 'ServerResponse');
  if (request === undefined || response === undefined) return undefined;
  const isNative =
    holds(server, request, http.IncomingMessage) && holds(server, response, http.ServerResponse);
  return isNative ? { request, response } : undefined;
}

function holds(server: object, slot: symbol, value: unknown): boolean {
  return Object.getOwnPropertyDescriptor(server, slot)!.value === value;
}

/** Whether every request of the server goes to the application, and to it first. */
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

/** Upgraded connections are not the application's: whoever listens for them gets Node's own request. */
function guardUpgrades(server: Server, event: 'upgrade' | 'connect', listeners: unknown): void {
  if (listeners === disown) {
    // Node takes a server with a listener for one that handles upgrades.
    server.removeListener(event, disown);
  } else if (!Array.isArray(listeners) || listeners[0] !== disown) {
    server.removeListener(event, disown);
    server.prependListener(event, disown);
  }
}

function disown(req: object): void {
  Object.setPrototypeOf(req, http.IncomingMessage.prototype);
}
