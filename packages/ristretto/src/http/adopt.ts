/**
 * How a request and its response come by the prototypes of their application.
 *
 * Changing the prototype of an object that exists costs more than all else that a small request does. So each
 * application has constructors whose instances have the right prototypes from the start: `app.listen` hands them to
 * its server, and a server made elsewhere is told on its first request. What comes by another way (a request made by
 * another server, HTTP/2, a test's own objects) is given its prototypes here.
 */
import * as http from 'node:http';
import type { Server } from 'node:http';

/** The constructors for a server's requests and responses. */
export interface MessageClasses {
  IncomingMessage: typeof http.IncomingMessage;
  ServerResponse: typeof http.ServerResponse;
}

const CONSTRUCTOR: unique symbol = Symbol('constructor of messages');
/** On a message that is in a sub-application with the outer one's prototype: the sub-application. */
const INNER: unique symbol = Symbol('inner application');

/** How many own properties a prototype has that nobody has extended: `app` and its constructor. */
const OWN_PROPERTIES = 2;

/** An application, as far as its messages go. */
export interface Adopter {
  request: object;
  response: object;
}

interface Message {
  [INNER]?: Adopter | undefined;
}

/**
 * Makes the prototype of an application's requests or responses, together with a constructor for it.
 * @param Base the runtime's constructor
 * @param parent the prototype to inherit from: `web.request` or `web.response`
 * @param app what its `app` property says
 */
export function makePrototype(
  Base: typeof http.IncomingMessage | typeof http.ServerResponse,
  parent: object,
  app: Adopter,
): object {
  const Message = class extends (Base as new (...args: unknown[]) => object) {};
  const prototype = Message.prototype;
  // `constructor` is then inherited: instances say the runtime's own
  Reflect.deleteProperty(prototype, 'constructor');
  Object.setPrototypeOf(prototype, parent);
  Object.defineProperty(prototype, CONSTRUCTOR, { value: Message });
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    get(this: Message) {
      return this[INNER] ?? app;
    },
    set(this: Message, value: unknown) {
      Object.defineProperty(this, 'app', { configurable: true, enumerable: true, writable: true, value });
    },
  });
  return prototype;
}

/** The constructors for a server that serves this application; the runtime's own where a prototype was replaced. */
export function messageClasses(app: Adopter): MessageClasses {
  const Request = constructorOf(app.request);
  const Response = constructorOf(app.response);
  return {
    IncomingMessage: (Request ?? http.IncomingMessage) as typeof http.IncomingMessage,
    ServerResponse: (Response ?? http.ServerResponse) as typeof http.ServerResponse,
  };
}

function constructorOf(prototype: object): unknown {
  return Object.hasOwn(prototype, CONSTRUCTOR)
    ? (prototype as { [CONSTRUCTOR]: unknown })[CONSTRUCTOR]
    : undefined;
}

/** Gives the request and the response the application's prototypes, unless they have them or need not. */
export function adopt(app: Adopter, req: object, res: object): void {
  if (Object.getPrototypeOf(req) === http.IncomingMessage.prototype) tellServer(app, req);
  adoptMessage(app, req, app.request);
  adoptMessage(app, res, app.response);
}

function adoptMessage(app: Adopter, message: Message, prototype: object): void {
  const current = Object.getPrototypeOf(message) as object;
  if (current === prototype) {
    if (message[INNER] !== undefined) message[INNER] = undefined;
  } else if (addsNothing(prototype, current)) {
    message[INNER] = app;
  } else {
    Object.setPrototypeOf(message, prototype);
    if (message[INNER] !== undefined) message[INNER] = undefined;
  }
}

/** Whether a prototype inherits from `base` and nobody has extended it, or anything between the two. */
function addsNothing(prototype: object, base: object): boolean {
  for (
    let link: object | null = prototype;
    link !== base;
    link = Object.getPrototypeOf(link) as object | null
  ) {
    if (
      link === null ||
      !Object.hasOwn(link, CONSTRUCTOR) ||
      Reflect.ownKeys(link).length !== OWN_PROPERTIES
    ) {
      return false;
    }
  }
  return true;
}

/** Servers that have been told, or that can't be. */
const told = new WeakSet();

/**
 * Tells the server that a request came from to make its further requests and responses with the application's
 * prototypes. A server that several applications share keeps to the first one's.
 */
function tellServer(app: Adopter, req: object): void {
  const server = (req as { socket?: { server?: Server } | null }).socket?.server;
  if (!server || told.has(server)) return;
  told.add(server);
  const slots = serverSlots(server);
  if (!slots) return;
  const classes = messageClasses(app);
  slots.server[slots.request] = classes.IncomingMessage;
  slots.server[slots.response] = classes.ServerResponse;
}

interface Slots {
  server: Record<symbol, unknown>;
  request: symbol;
  response: symbol;
}

/**
 * Where a server keeps its two constructors. The runtime does not document this, so it counts only if both are there
 * and are the runtime's own: a server made with constructors of its own keeps them.
 */
function serverSlots(server: object): Slots | undefined {
  const symbols = Object.getOwnPropertySymbols(server);
  const request = symbols.find(symbol => symbol.description === 'IncomingMessage');
  const response = symbols.find(symbol => symbol.description === 'ServerResponse');
  if (request === undefined || response === undefined) return undefined;
  const slots = server as Record<symbol, unknown>;
  if (slots[request] !== http.IncomingMessage || slots[response] !== http.ServerResponse) return undefined;
  return { server: slots, request, response };
}
