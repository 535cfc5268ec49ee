/**
 * Types that the files of this package share: the options as `index.ts` has checked them, a request, its session, and the
 * session's record.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Keyed } from '@ristretto/signed-cookies';
import type { Cookie, CookieData } from './cookie';

export type Callback = (error?: unknown) => void;

/** The property of a request that holds its record. */
export const RECORD: unique symbol = Symbol('session');

/** `req.session`, as an object of `Session` or of the class of express-session. */
export interface RequestedSession {
  readonly req: SessionRequest;
  readonly id: string;
  cookie: Cookie;
  touch(): unknown;
  save(callback?: Callback): unknown;
  reload(callback?: Callback): unknown;
}

/** Follows the session of one request. */
export interface SessionRecord {
  /** The longest time in milliseconds that a method of the session waits for the store; 0 for no limit. */
  readonly patience: number;
  isTracked(session: RequestedSession): boolean;
  track(session: RequestedSession | null | undefined): void;
  noteSave(): void;
  noteReload(): void;
}

export interface SessionRequest extends IncomingMessage {
  session?: RequestedSession | null;
  sessionID: string;
  sessionStore: Store;
  originalUrl?: string;
  secret?: string;
  secure?: boolean;
  cookies?: Record<string, unknown>;
  signedCookies?: Record<string, unknown>;
  [RECORD]?: SessionRecord;
}

/** The data of a session as a store returns it. */
export interface StoredData {
  cookie: CookieData;
  [name: string]: unknown;
}

export type DataCallback = (error?: unknown, data?: StoredData | null) => void;

export interface Store extends EventEmitter {
  /** Set by the middleware: gives a request a new session. */
  generate(req: SessionRequest): void;
  regenerate(req: SessionRequest, callback: Callback): unknown;
  load(id: string, callback: (error?: unknown, session?: RequestedSession) => void): void;
  createSession(req: SessionRequest, data: StoredData): RequestedSession;
  get(id: string, callback: DataCallback): unknown;
  set(id: string, session: RequestedSession, callback?: Callback): unknown;
  destroy(id: string, callback?: Callback): unknown;
  touch?(id: string, session: RequestedSession, callback?: Callback): unknown;
}

/** The options, with their defaults. */
export interface Options {
  cookie: Partial<CookieData> | CookieFunction;
  genid: ((req: SessionRequest) => string) | undefined;
  /** The keys of the secrets; undefined if each request has its secret. */
  keys: readonly Keyed[] | undefined;
  name: string;
  proxy: boolean | undefined;
  resave: boolean;
  rolling: boolean;
  saveUninitialized: boolean;
  store: Store;
  /** The longest time in milliseconds to wait for the store; 0 for no limit, as for our own in memory. */
  storeTimeout: number;
  unset: 'destroy' | 'keep';
}

/** Returns the cookie's attributes for a request. */
export type CookieFunction = (req: SessionRequest) => Partial<CookieData>;

/** The options, and what is computed from them once. */
export interface Settings extends Options {
  /** The function that this middleware has set as `store.generate`. */
  generate: Store['generate'];
  /** Returns the ID of a new session. */
  newId(req: SessionRequest): string;
  /** Returns a new session. */
  create(req: SessionRequest, id: string): RequestedSession;
  /** Whether a new session is created only when it is read. */
  createsLate: boolean;
  hasTouch: boolean;
}
