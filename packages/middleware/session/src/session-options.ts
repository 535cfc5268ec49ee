/** The options of a middleware as `index.ts` has checked them, and what is computed from them once. */
import type { Keyed } from '@ristretto/signed-cookies';
import type { CookieData } from './cookie';
import type { RequestedSession, SessionRequest, Store } from './session-request';

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

export interface Settings extends Options {
  /** The function that this middleware has set as `store.generate`. */
  generate: Store['generate'];
  /** Returns the ID of a new session. */
  newId(req: SessionRequest): string;
  /** Returns a new session. */
  create(req: SessionRequest, id: string): RequestedSession;
  /** Whether a new session that nobody reads need not be created. */
  createsLate: boolean;
  hasTouch: boolean;
}
