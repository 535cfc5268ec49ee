/** A request in development: at which handler it is, and what has become of it so far. */
import type { ServerResponse } from 'node:http';
import { reportsMistakes } from './gate';
import { placeOf } from './place';
import type { Place, Trace } from './place';
import { warnOnce } from './warn';

type Settings = Readonly<Record<string, unknown>>;

/** What the checks need of a request. */
export interface WatchedRequest {
  /** Whatever a program has put there, before an application had the request. */
  app?: unknown;
  aborted?: boolean;
  complete?: boolean;
  headers: Readonly<Record<string, unknown>>;
  secure?: unknown;
  session?: unknown;
  upgrade?: boolean | null;
}

/** A handler that a request has come to. */
export interface Call {
  /** As messages name it. */
  readonly what: string;
  /** Where it was registered, or what it is called for. */
  readonly place: () => Place | undefined;
}

/** What a handler returned, when, and as messages show it. */
interface Returned {
  readonly call: Call;
  readonly text: string;
  readonly tick: number;
}

export class Watched {
  /** The handler that the request is at. */
  call: Call | undefined = undefined;
  /** Whether this handler has passed control on, and the next one was not reached. */
  hasPassedOn = false;
  /** When it came there, in ticks of `pending.ts`. */
  since = 0;
  returned: Returned | undefined = undefined;
  /** Where the headers were sent. */
  sentBy: Trace | undefined = undefined;
  /** Where control was passed on after that. */
  passedOnBy: Trace | undefined = undefined;

  constructor(
    readonly req: WatchedRequest,
    readonly res: ServerResponse,
    /** The method and the route, for messages. */
    readonly name: () => string,
  ) {}

  /** The settings of the application that the request is at. */
  get settings(): Settings | undefined {
    const settings = (this.req.app as { settings?: unknown } | null | undefined)?.settings;
    return typeof settings === 'object' && settings !== null ? (settings as Settings) : undefined;
  }

  /** Emits a warning about the request, unless its application wants none. */
  warn(code: `RISTRETTO_${string}`, message: string, place: Place | undefined): void {
    if (reportsMistakes(this.settings)) warnOnce(code, message, place ?? null);
  }
}

/** ` at /app.js:1:2` for messages; empty where the place can't be told. */
export function at(place: Place | undefined): string {
  return place === undefined ? '' : ` at ${place.file}:${place.line}:${place.column}`;
}

/** The same for a trace. */
export function atTrace(trace: Trace): string {
  return at(placeOf(trace));
}
