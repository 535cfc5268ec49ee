/**
 * A program as plain data: a server, the patches around the framework, the steps of the handlers, and what the client
 * sends and when it disconnects. It can be generated, printed, shrunk, and run on either framework.
 */
import type { Ask, Value } from '../description.js';

export type { Ask, Value };

/** The object whose member is replaced. */
export type Target =
  /** The request, the response or its connection. */
  | 'instance'
  /** `app.request`, `app.response`. */
  | 'application'
  /** `express.request`, `express.response`. */
  | 'framework'
  /** `http.IncomingMessage.prototype`, `http.ServerResponse.prototype`. */
  | 'runtime';

export type Subject = 'req' | 'res' | 'socket';

/** How the replacing function uses the original. */
export type How =
  /** Calls it and returns its result. */
  | 'pass'
  /** Calls it and returns nothing. */
  | 'nothing'
  /** Calls it in a later turn and returns nothing. */
  | 'defer'
  /** Keeps the chunks of `write`, and sends them with `end`. */
  | 'collect'
  /** Sets a header first, as `on-headers` does. */
  | 'header'
  /** Changes the chunk. */
  | 'change'
  /** Does not call it the first time. */
  | 'skip-first'
  /** Throws the first time. */
  | 'throw-first';

export interface Wrapper {
  target: Target;
  of: Subject;
  member: string;
  how: How;
}

/** A class inserted below the framework's prototypes, whose methods record their calls. */
export interface Beneath {
  where: 'server' | 'framework' | 'application';
  of: 'req' | 'res';
  members: string[];
  /** The methods call the inherited ones, and return nothing. */
  nothing?: boolean;
}

/** One thing that a handler does. Exactly one of the keys before `args` is present. */
export interface Step {
  /** Call a member: 'res.send', 'req.resume', 'socket.destroy'. */
  call?: string;
  /** Assign `value` to a member: 'res.statusCode'. */
  put?: string;
  /** Add a listener, such as 'res.close' or 'req.data', which records the event and then performs `steps`. */
  on?: string;
  /** Perform `steps` in a later turn; 'rest' waits until everything is idle. */
  later?: 'nextTick' | 'microtask' | 'immediate' | 'rest';
  wrap?: Wrapper;
  /** Pipe a stream of this many bytes into the response; 'request' pipes the request. */
  pipe?: number | 'request';
  /** Record the state of the request and the response. */
  state?: string;
  /** Call next with or without an error. */
  next?: 'error' | 'nothing';
  throw?: string;
  /** Signal the client: a `watch` for the signal acts at once. */
  signal?: true;

  args?: Value[];
  value?: Value;
  how?: 'on' | 'once' | 'prepend';
  steps?: Step[];
}

export type Stop = 'destroy' | 'reset' | 'end';

/** One thing that the client does on a connection once everything is idle. Exactly one key is present. */
export interface Action {
  /** Send the requests in one packet, except for the last `hold` bytes. */
  send?: Ask[];
  hold?: number;
  /** Send the bytes that were held back. */
  rest?: true;
  /** Pause or resume reading. */
  read?: 'pause' | 'resume';
  stop?: Stop;
  /** Stop as soon as this has been received. */
  watch?: 'bytes' | 'header block' | 'signal' | 'body';
  by?: Stop;
}

export interface Program {
  /** Patches of Node.js made before the framework is loaded. */
  preload: Wrapper[];
  /**
   * How the server is created. 'mixed' has a listener that responds to /bare itself and passes other requests to the
   * application; 'inject' has no server and passes the messages directly to the application.
   */
  server: 'listen' | 'createServer' | 'listener' | 'mixed' | 'emit' | 'inject';
  /** Options for the server. */
  options: Record<string, Value>;
  /** Additional events for which the server has listeners. */
  also: ('upgrade' | 'checkContinue' | 'clientError')[];
  /** What a listener before the application does with each request. */
  first: Step[];
  /** Whether responses name the framework; the length of the name shows in bodies that are cut off. */
  poweredBy: boolean;
  /** Where the handlers are registered. */
  place: 'application' | 'router' | 'sub-application';
  parsers: ('json' | 'raw' | 'text' | 'urlencoded')[];
  beneath: Beneath[];
  wrappers: Wrapper[];
  /** A request for /n is handled by the handler with that index. */
  handlers: Step[][];
  connections: Action[][];
}

/** The outcome of a program on one framework. */
export interface Outcome {
  /** 'done', or how it went wrong: 'restless' (never became idle), 'hang', 'crash …'. */
  end: string;
  /** The data received on each connection. */
  received: string[];
  /** The events in the server, in order. */
  log: string[];
}
