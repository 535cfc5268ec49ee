/**
 * A program as plain data: a server, what is patched around the framework, what the handlers do, and what the client
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

/** What the replacing function does with the original. */
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

/** A class put beneath the framework's prototypes, whose methods record that they were called. */
export interface Beneath {
  where: 'server' | 'framework' | 'application';
  of: 'req' | 'res';
  members: string[];
  /** The methods call those of the class above, and return nothing. */
  nothing?: boolean;
}

/** One thing that a handler does. Exactly one of the keys before `args` is present. */
export interface Step {
  /** Call a member: 'res.send', 'req.resume', 'socket.destroy'. */
  call?: string;
  /** Assign `value` to a member: 'res.statusCode'. */
  put?: string;
  /** Add a listener: 'res.close', 'req.data'; it records the event, and then does `steps`. */
  on?: string;
  /** Do `steps` in a later turn; 'rest' is when nothing moves any more. */
  later?: 'nextTick' | 'microtask' | 'immediate' | 'rest';
  wrap?: Wrapper;
  /** Pipe a stream of that many bytes into the response; 'request' pipes the request. */
  pipe?: number | 'request';
  /** Record the state of request and response. */
  state?: string;
  /** Call next with an error, or without one. */
  next?: 'error' | 'nothing';
  throw?: string;
  /** Tells the client: a `watch` for the signal acts at once. */
  signal?: true;

  args?: Value[];
  value?: Value;
  how?: 'on' | 'once' | 'prepend';
  steps?: Step[];
}

export type Stop = 'destroy' | 'reset' | 'end';

/** One thing that the client does on a connection, when nothing moves any more. Exactly one key is present. */
export interface Action {
  /** Send the requests in one packet, but for the last `hold` bytes. */
  send?: Ask[];
  hold?: number;
  /** Send the bytes that were held back. */
  rest?: true;
  /** Stop or go on reading. */
  read?: 'pause' | 'resume';
  stop?: Stop;
  /** Stop as soon as this has come. */
  watch?: 'bytes' | 'header block' | 'signal' | 'body';
  by?: Stop;
}

export interface Program {
  /** Patches of the runtime that are made before the framework is loaded. */
  preload: Wrapper[];
  /**
   * How the server is made; 'mixed' has a listener that responds to /bare itself and leaves the rest to the
   * application, 'inject' is none: the messages are given to the application.
   */
  server: 'listen' | 'createServer' | 'listener' | 'mixed' | 'emit' | 'inject';
  /** Options for the server. */
  options: Record<string, Value>;
  /** Further events that the server has listeners for. */
  also: ('upgrade' | 'checkContinue' | 'clientError')[];
  /** What a listener before the application does with each request. */
  first: Step[];
  /** Whether responses name the framework; its length shows in bodies that are cut. */
  poweredBy: boolean;
  /** Where the handlers stand. */
  place: 'application' | 'router' | 'sub-application';
  parsers: ('json' | 'raw' | 'text' | 'urlencoded')[];
  beneath: Beneath[];
  wrappers: Wrapper[];
  /** A request for /n is handled by the handler of that index. */
  handlers: Step[][];
  connections: Action[][];
}

/** What a program did on one framework. */
export interface Outcome {
  /** 'done', or how it went wrong: 'restless' (something went on and on), 'hang', 'crash …'. */
  end: string;
  /** What was received on each connection. */
  received: string[];
  /** What happened in the server, in order. */
  log: string[];
}
