/** The state of a request in development: the handler that it has reached, and what has happened to it so far. */
import type { ServerResponse } from 'node:http';
import { reportsMistakes } from '../report/development';
import { placeOf } from './place';
import type { Place, CapturedStack } from './place';
import { warnOnce } from './warn';

type Settings = Readonly<Record<string, unknown>>;

/** The members of a request that the checks use. */
export interface WatchedRequest {
  /** The application, or any value that a program set before the request reached an application. */
  app?: unknown;
  _body?: unknown;
  aborted?: boolean;
  body?: unknown;
  complete?: boolean;
  rawHeaders?: readonly string[];
  baseUrl?: unknown;
  headers: Readonly<Record<string, unknown>>;
  pipe?: unknown;
  readableDidRead?: boolean;
  route?: unknown;
  secure?: unknown;
  session?: unknown;
  upgrade?: boolean | null;
}

/** The call of a handler for a request. */
export interface Call {
  /** The name of the function, or of the parameter. */
  readonly name: string;
  /** The handler in messages. */
  readonly what: string;
  /** Returns where the handler was registered, or the route whose parameter it handles. */
  readonly place: () => Place | undefined;
}

/** How a handler failed. */
export interface Failure {
  readonly error: unknown;
  readonly how: 'thrown' | 'passed to next()' | 'rejected';
  /** Where `next(error)` was called. */
  readonly trace: CapturedStack | undefined;
  /** Whether the response had been sent. */
  readonly isLate: boolean;
  readonly call: Call;
}

/** The value that a handler returned, as text for messages, and when. */
interface Returned {
  readonly call: Call;
  readonly text: string;
  readonly tick: number;
}

export class Watched {
  /** The handler that is handling the request. */
  call: Call | undefined = undefined;
  /** Whether this handler has called `next`, and the next handler has not been reached. */
  hasPassedOn = false;
  /** When the request reached the handler, in ticks of `pending.ts`. */
  since = 0;
  returned: Returned | undefined = undefined;
  /** Where in the program the headers were sent. */
  sentBy: CapturedStack | undefined = undefined;
  /** Where `next` was called after the headers were sent. */
  passedOnBy: CapturedStack | undefined = undefined;
  /** Where the request was piped after a parser had read its body. */
  pipedBy: CapturedStack | undefined = undefined;
  failure: Failure | undefined = undefined;
  /** Called once the headers are sent. */
  onSent: (() => void) | undefined = undefined;
  /** The errors that reached an error handler, in order. */
  readonly handled: unknown[] = [];

  constructor(
    readonly req: WatchedRequest,
    readonly res: ServerResponse,
    /** Returns the method and the route, for messages. */
    readonly name: () => string,
  ) {}

  /** The settings of the application that is handling the request. */
  get settings(): Settings | undefined {
    const settings = (this.req.app as { settings?: unknown } | null | undefined)?.settings;
    return typeof settings === 'object' && settings !== null ? (settings as Settings) : undefined;
  }

  /** Emits a warning about the request, unless its application has disabled warnings. */
  warn(code: `RISTRETTO_${string}`, message: string, place: Place | undefined): void {
    if (reportsMistakes(this.settings)) warnOnce(code, message, place ?? null);
  }
}

/** Formats a place for messages as ` at /app.js:1:2`; empty if the place is unknown. */
export function at(place: Place | undefined): string {
  return place === undefined ? '' : ` at ${place.file}:${place.line}:${place.column}`;
}

/** Formats the place of a trace likewise. */
export function atStack(trace: CapturedStack): string {
  return at(placeOf(trace));
}
