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
/** On a response whose locals somebody has asked for. */
const LOCALS: unique symbol = Symbol('locals');

/** An application, as far as its messages go. */
export interface Adopter {
  request: object;
  response: object;
}

interface Message {
  [INNER]?: Adopter | undefined;
  [LOCALS]?: unknown;
}

/** How many own properties a prototype has that nobody has extended. */
const plainSize = new WeakMap<object, number>();

/**
 * Makes the prototype of an application's requests, together with a constructor for it.
 * @param parent the prototype to inherit from: `web.request`, or one that inherits from it
 * @param app what its `app` property says
 */
export function makeRequestPrototype(parent: object, app: Adopter): object {
  // No fields are declared here: they were measured to cost more than adding properties later.
  const Message = class extends http.IncomingMessage {};
  return finishPrototype(Message, parent, app);
}

/**
 * Makes the prototype of an application's responses, together with a constructor for it.
 *
 * `locals` is made when it is first read: few answers need it.
 * @param parent the prototype to inherit from: `web.response`, or one that inherits from it
 * @param app what its `app` property says
 */
export function makeResponsePrototype(parent: object, app: Adopter): object {
  const Message = class extends http.ServerResponse {};
  Object.defineProperty(Message.prototype, 'locals', {
    configurable: true,
    enumerable: true,
    get(this: Message) {
      return (this[LOCALS] ??= Object.create(null) as object);
    },
    set(this: Message, value: unknown) {
      this[LOCALS] = value;
    },
  });
  return finishPrototype(Message, parent, app);
}

function finishPrototype(Message: { prototype: object }, parent: object, app: Adopter): object {
  const { prototype } = Message;
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
  plainSize.set(prototype, Reflect.ownKeys(prototype).length);
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
    if (link === null || Reflect.ownKeys(link).length !== plainSize.get(link)) return false;
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
