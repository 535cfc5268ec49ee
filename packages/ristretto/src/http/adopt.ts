/**
 * Gives requests and responses the prototypes of their application.
 *
 * Each application has classes whose instances have the right prototypes from the start, and each kind of server
 * creates its messages with them if possible. Messages created in another way (by a server with additional listeners, a
 * test, or another framework) get new prototypes here.
 */
import * as http from 'node:http';
import { setOwn } from '../protocol/own-property';

const CONSTRUCTOR: unique symbol = Symbol('constructor of messages');
/**
 * Holds the sub-application that is handling a message, while the message keeps the prototype of the outer application.
 */
const INNER: unique symbol = Symbol('inner application');

/** An application, reduced to the prototypes of its messages. */
export interface Adopter {
  request: object;
  response: object;
}

/** The constructors for the requests and responses of one application. */
export interface MessageClasses {
  IncomingMessage: typeof http.IncomingMessage;
  ServerResponse: typeof http.ServerResponse;
}

interface Message {
  [INNER]?: Adopter | undefined;
}

/** The shape of an application's prototype that nothing was added to. */
interface PlainPrototype {
  /** The number of own properties. */
  size: number;
  /** The accessor of `app`, which returns the sub-application of a message if there is one. */
  app: () => unknown;
}

/**
 * The prototypes created here. Those of another copy of the framework have an `app` accessor that does not read
 * `INNER`.
 */
const plain = new WeakMap<object, PlainPrototype>();

/**
 * Creates the prototype of an application's requests, together with a constructor for it.
 * @param parent the prototype to inherit from: `web.request`, or one that inherits from it
 * @param app the value of its `app` property
 */
export function makeRequestPrototype(parent: object, app: Adopter): object {
  // No fields are declared here: in measurements they cost more than adding properties later.
  const Message = class extends http.IncomingMessage {};
  return finishPrototype(Message, parent, app);
}

/**
 * Creates the prototype of an application's responses, together with a constructor for it.
 *
 * `locals` is created on first read, because few responses use it. It becomes a property of the response itself, so
 * that it survives when another framework changes the prototype of the response.
 * @param parent the prototype to inherit from: `web.response`, or one that inherits from it
 * @param app the value of its `app` property
 */
export function makeResponsePrototype(parent: object, app: Adopter): object {
  const Message = class extends http.ServerResponse {};
  Object.defineProperty(Message.prototype, 'locals', {
    configurable: true,
    enumerable: true,
    get(this: Message) {
      return setOwn<unknown>(this, 'locals', Object.create(null));
    },
    set(this: Message, value: unknown) {
      setOwn(this, 'locals', value);
    },
  });
  return finishPrototype(Message, parent, app);
}

function finishPrototype(Message: { prototype: object }, parent: object, app: Adopter): object {
  const { prototype } = Message;
  // so that instances inherit Node's `constructor`
  Reflect.deleteProperty(prototype, 'constructor');
  Object.setPrototypeOf(prototype, parent);
  Object.defineProperty(prototype, CONSTRUCTOR, { value: Message });
  const getApp = function (this: Message): unknown {
    return this[INNER] ?? app;
  };
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    get: getApp,
    set(this: Message, value: unknown) {
      setOwn(this, 'app', value);
    },
  });
  plain.set(prototype, { size: Reflect.ownKeys(prototype).length, app: getApp });
  return prototype;
}

/** Returns the classes of an application, or Node's own for a prototype that was replaced. */
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

/** Gives the request and the response the application's prototypes, unless they have them or do not need them. */
export function adopt(app: Adopter, req: object, res: object): void {
  if (!isAdopted(app.request, req)) adoptMessage(app, req, app.request);
  if (!isAdopted(app.response, res)) adoptMessage(app, res, app.response);
}

function isAdopted(prototype: object, message: object): boolean {
  return Object.getPrototypeOf(message) === prototype && (message as Message)[INNER] === undefined;
}

function adoptMessage(app: Adopter, message: Message, prototype: object): void {
  const current = Object.getPrototypeOf(message) as object;
  if (current !== prototype && addsNothing(prototype, current)) {
    message[INNER] = app;
    return;
  }
  if (current !== prototype) Object.setPrototypeOf(message, prototype);
  if (message[INNER] !== undefined) message[INNER] = undefined;
}

/** Whether a prototype inherits from `base` and differs from it only in the value of `app`. */
function addsNothing(prototype: object, base: object): boolean {
  const found = plain.get(base);
  if (found === undefined || Object.getOwnPropertyDescriptor(base, 'app')?.get !== found.app) return false;
  for (
    let link: object | null = prototype;
    link !== base;
    link = Object.getPrototypeOf(link) as object | null
  ) {
    if (link === null || Reflect.ownKeys(link).length !== plain.get(link)?.size) return false;
  }
  return true;
}
