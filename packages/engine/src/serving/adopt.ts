/**
 * Gives requests and responses the prototypes of their application.
 *
 * Each application has classes whose instances have the right prototypes from the start, and each kind of server
 * creates its messages with them if possible. Messages created in another way (by a server with additional listeners, a
 * test, or another framework) get new prototypes here.
 */
import * as http from 'node:http';
import type { Socket } from 'node:net';
import { setOwn } from '../protocol/own-property';
import { setVersion, versionOf } from '../version';

const CONSTRUCTOR: unique symbol = Symbol('constructor of messages');
/**
 * Holds the sub-application that is handling a message, while the message keeps the prototype of the outer application.
 */
const INNER: unique symbol = Symbol('inner application');
/** Holds the prototypes of an application, both on the application and on the prototypes. */
const PROTOTYPES: unique symbol = Symbol('prototypes of messages');

/** The number of requests after which a sub-application's prototypes count as unused. */
const TRIALS = 1000;

/** The part of an application that holds the prototypes of its messages. */
export interface Adopter {
  request: object;
  response: object;
}

/** The constructors for the requests and responses of one application. */
export interface MessageClasses {
  IncomingMessage: typeof http.IncomingMessage;
  ServerResponse: typeof http.ServerResponse;
}

/** Node also passes the settings of the server to the response. */
type ResponseClass = new (req: http.IncomingMessage, options: unknown) => http.ServerResponse;

interface Message {
  app?: unknown;
  [INNER]?: Adopter | undefined;
}

/**
 * The prototypes of an application's messages.
 *
 * Changing the prototype of a message costs more than the rest of a small request on Node 20 and 22, and a third of it
 * on later versions, so messages in a sub-application should keep the prototypes of the outer application. That makes
 * no difference unless code uses the prototypes of the sub-application: then it reads `app.request` or `app.response`, or
 * extends the result of `Object.getPrototypeOf(req)`. The first requests therefore get the prototypes, and later ones
 * only if one of these things has happened.
 */
class Prototypes implements Adopter {
  /** The number of requests that still get the prototypes unconditionally; infinite once other code uses them. */
  requestsUntilFrozen = TRIALS;
  private readonly size: number;

  constructor(
    public request: object,
    public response: object,
  ) {
    hold(request, this);
    hold(response, this);
    this.size = this.countMembers();
  }

  /** Counts a request that gets the prototypes. */
  noteTrial(): void {
    if (--this.requestsUntilFrozen === 0 && this.countMembers() !== this.size)
      this.requestsUntilFrozen = Infinity;
  }

  private countMembers(): number {
    return Reflect.ownKeys(this.request).length + Reflect.ownKeys(this.response).length;
  }
}

/**
 * Gives a new application its version and the prototypes of its messages, as `app.request` and `app.response`. Both are
 * accessors, to learn whether other code uses the prototypes.
 * @param request the prototype that those of its requests inherit from: `web.request`
 * @param response the prototype that those of its responses inherit from: `web.response`
 */
export function givePrototypes(app: object, request: object, response: object): void {
  const prototypes = new Prototypes(
    makeRequestPrototype(request, app as Adopter),
    makeResponsePrototype(response, app as Adopter),
  );
  hold(app, prototypes);
  setVersion(app, versionOf(request));
  for (const name of ['request', 'response'] as const) {
    Object.defineProperty(app, name, {
      configurable: true,
      enumerable: true,
      get(this: Partial<Holder>) {
        const held = this[PROTOTYPES] ?? prototypes;
        held.requestsUntilFrozen = Infinity;
        return held[name];
      },
      set(this: Holder, value: object) {
        let held = this[PROTOTYPES];
        // An object that inherits from the application gets its own
        if (!Object.hasOwn(this, PROTOTYPES)) hold(this, (held = { ...held }));
        held.requestsUntilFrozen = Infinity;
        held[name] = value;
      },
    });
  }
}

/** An application, or an object that inherits from one. */
interface Holder {
  [PROTOTYPES]: Pick<Prototypes, 'request' | 'response' | 'requestsUntilFrozen'>;
}

function hold(holder: object, prototypes: Holder[typeof PROTOTYPES]): void {
  Object.defineProperty(holder, PROTOTYPES, { value: prototypes });
}

/**
 * Returns the prototypes of an application, which may be of another copy or framework. The framework itself must not
 * read `app.request` and `app.response`: that would count as use of them.
 */
export function prototypesOf<App extends Adopter>(app: App): Pick<App, 'request' | 'response'> {
  return (app as { [PROTOTYPES]?: Prototypes })[PROTOTYPES] ?? app;
}

/**
 * Creates the prototype of an application's requests, together with a constructor for it.
 * @param parent the prototype to inherit from
 * @param app the value of its `app` property
 */
function makeRequestPrototype(parent: object, app: Adopter): object {
  // No fields are declared here: in measurements they cost more than adding properties later.
  const Message = class extends http.IncomingMessage {};
  return finishPrototype(Message, parent, app);
}

/**
 * Creates the prototype of an application's responses, together with a constructor for it.
 *
 * `locals` is created on first read, because few responses use it. It becomes a property of the response itself, so
 * that it survives when another framework changes the prototype of the response.
 * @param parent the prototype to inherit from
 * @param app the value of its `app` property
 */
function makeResponsePrototype(parent: object, app: Adopter): object {
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
  // Lets instances inherit Node's `constructor`
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
      setOwn(this, 'app', value);
    },
  });
  return prototype;
}

/** Returns the classes of an application, or Node's own for a prototype that was replaced. */
export function messageClasses(app: Adopter): MessageClasses {
  const { request, response } = prototypesOf(app);
  const Request = constructorOf(request);
  const Response = constructorOf(response);
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

/**
 * Whether requests have other `headers` than Node's, which Node itself would check for a Host: then they must be Node's until they
 * reach the application.
 */
export function hasOwnHeaders({ request }: Pick<Adopter, 'request'>): boolean {
  for (
    let link: object | null = request;
    link !== null && link !== http.IncomingMessage.prototype;
    link = Object.getPrototypeOf(link) as object | null
  ) {
    if (Object.hasOwn(link, 'headers')) return true;
  }
  return false;
}

/**
 * Creates a request with an application's prototype; with Node's own, until it reaches the application, if Node cannot assign one of
 * its properties: a program has defined a getter such as `get aborted()`, which in Express that property hides.
 */
export function createRequest(
  { IncomingMessage }: Pick<MessageClasses, 'IncomingMessage'>,
  socket: Socket,
): http.IncomingMessage {
  try {
    return new IncomingMessage(socket);
  } catch {
    return new http.IncomingMessage(socket);
  }
}

/** Does the same for a response. @param options Node's, for the responses of a server */
export function createResponse(
  { ServerResponse }: Pick<MessageClasses, 'ServerResponse'>,
  req: http.IncomingMessage,
  options?: object,
): http.ServerResponse {
  try {
    return new (ServerResponse as ResponseClass)(req, options);
  } catch {
    return new (http.ServerResponse as ResponseClass)(req, options);
  }
}

type NativeRequestListener = (app: Adopter, req: http.IncomingMessage) => void;

let onNative: NativeRequestListener | undefined;

/**
 * Registers a function for requests that reach an application with Node's own prototype: it makes the server create
 * later ones with the application's classes.
 */
export function onNativeRequest(listener: NativeRequestListener): void {
  onNative = listener;
}

/**
 * Gives the request and the response the application's prototypes, unless they have them already, or the difference
 * cannot be observed.
 */
export function adopt(app: Adopter, req: http.IncomingMessage, res: http.ServerResponse): void {
  const prototypes = prototypesOf(app);
  if (
    Object.getPrototypeOf(req) === prototypes.request &&
    Object.getPrototypeOf(res) === prototypes.response &&
    (req as Message)[INNER] === undefined &&
    (res as Message)[INNER] === undefined
  ) {
    return;
  }
  if (Object.getPrototypeOf(req) === http.IncomingMessage.prototype) onNative?.(app, req);
  adoptMessage(app, req as Message, prototypes.request);
  adoptMessage(app, res as Message, prototypes.response);
  if (prototypes instanceof Prototypes && prototypes.requestsUntilFrozen > 0) prototypes.noteTrial();
}

function adoptMessage(app: Adopter, message: Message, prototype: object): void {
  const current = Object.getPrototypeOf(message) as object;
  if (current !== prototype) {
    if (areUnused(prototype, current)) {
      message[INNER] = app;
      // The accessor of the outer application may have been replaced, or may belong to another copy of the framework.
      if (message.app === app) return;
    }
    Object.setPrototypeOf(message, prototype);
  }
  if (message[INNER] !== undefined) message[INNER] = undefined;
}

/** Whether a prototype inherits from `base`, and no other code uses it or the prototypes in between. */
function areUnused(prototype: object, base: object): boolean {
  for (
    let link: object | null = prototype;
    link !== base;
    link = Object.getPrototypeOf(link) as object | null
  ) {
    if (link === null || requestsUntilFrozenOf(link) !== 0) return false;
  }
  return true;
}

/** Returns the counter of a prototype that was created here; undefined for any other, such as one that a tool assigned. */
function requestsUntilFrozenOf(prototype: object): number | undefined {
  return Object.hasOwn(prototype, PROTOTYPES)
    ? (prototype as { [PROTOTYPES]: Prototypes })[PROTOTYPES].requestsUntilFrozen
    : undefined;
}
