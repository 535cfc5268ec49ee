/** The types of the interface, under the names they have in express-rate-limit. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';

export type LoggerFn = (error: unknown, message?: string) => void;
/** Receives the problems that validations find, and store errors that do not fail a request. */
export interface Logger {
  error: LoggerFn;
  warn: LoggerFn;
}

export type IncrementCallback = (
  error: Error | undefined,
  totalHits: number,
  resetTime: Date | undefined,
) => void;

/** Returns a value for a request, or a promise of it. */
export type ValueDeterminingMiddleware<T> = (request: Request, response: Response) => T | Promise<T>;
export type RateLimitExceededEventHandler = (
  request: Request,
  response: Response,
  next: NextFunction,
  optionsUsed: Options,
) => void;
export type RateLimitReachedEventHandler = (
  request: Request,
  response: Response,
  optionsUsed: Options,
) => void;

/** The requests of a client in the current window, and when it ends. */
export interface ClientRateLimitInfo {
  totalHits: number;
  resetTime: Date | undefined;
}
export type IncrementResponse = ClientRateLimitInfo;

export type RateLimitRequestHandler = RequestHandler & {
  /** Discards the requests of a client. */
  resetKey: (key: string) => void;
  /** Returns the store's information about a client; throws if the store has none. */
  getKey: (key: string) => Promise<ClientRateLimitInfo | undefined> | ClientRateLimitInfo | undefined;
};

/** The interface of stores before express-rate-limit 6. */
export interface LegacyStore {
  incr: (key: string, callback: IncrementCallback) => void;
  decrement: (key: string) => void;
  resetKey: (key: string) => void;
  resetAll?: () => void;
}

/** Where requests are counted. */
export interface Store {
  /** Called once, with all options. */
  init?: (options: Options) => void | Promise<void>;
  get?: (key: string) => Promise<ClientRateLimitInfo | undefined> | ClientRateLimitInfo | undefined;
  /** Counts a request. */
  increment: (key: string) => Promise<IncrementResponse> | IncrementResponse;
  /** Takes a request back. */
  decrement: (key: string) => Promise<void> | void;
  resetKey: (key: string) => Promise<void> | void;
  resetAll?: () => Promise<void> | void;
  shutdown?: () => Promise<void> | void;
  /** Whether other instances of the store have separate counts for the same keys. */
  localKeys?: boolean;
  /** The prefix that the store adds to keys. */
  prefix?: string;
}

export type DraftHeadersVersion = 'draft-6' | 'draft-7' | 'draft-8';

export type ValidationName =
  | 'validationsConfig'
  | 'knownOptions'
  | 'draftPolliHeaders'
  | 'onLimitReached'
  | 'ipv6Subnet'
  | 'keyGeneratorIpFallback'
  | 'ipv6SubnetOrKeyGenerator'
  | 'windowMs'
  | 'creationStack'
  | 'unsharedStore'
  | 'ip'
  | 'trustProxy'
  | 'xForwardedForHeader'
  | 'forwardedHeader'
  | 'positiveHits'
  | 'singleCount'
  | 'limit'
  | 'headersDraftVersion'
  | 'headersResetTime';

/** Turns validations on and off by their names. */
export type EnabledValidations = Partial<Record<ValidationName | 'default', boolean>>;

export interface Options {
  /** The length of the window in which requests are counted, in milliseconds. @default 60000 */
  windowMs: number;
  /** How many requests a client may send in a window. @default 5 */
  limit: number | ValueDeterminingMiddleware<number>;
  /** The response body when the limit is exceeded. @default 'Too many requests, please try again later.' */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Anything that res.send takes, as in the original's types
  message: any;
  /** @default 429 */
  statusCode: number;
  /** Send `X-RateLimit-*` headers. @default true */
  legacyHeaders: boolean;
  /** Send the `RateLimit` headers of a draft; true for those of draft 6. @default false */
  standardHeaders: boolean | DraftHeadersVersion;
  /** The name of the limit in the headers of draft 8. @default '5-in-1min', by limit and window */
  identifier: string | ValueDeterminingMiddleware<string>;
  /** The value of `Retry-After`, in seconds. @default the seconds until the window ends */
  retryAfter?: number | ValueDeterminingMiddleware<number>;
  /** The property of the request with information about the limit for handlers. @default 'rateLimit' */
  requestPropertyName: string;
  /** Do not count requests that failed. @default false */
  skipFailedRequests: boolean;
  /** Do not count requests that succeeded. @default false */
  skipSuccessfulRequests: boolean;
  /** Returns the key by which requests are counted. @default the IP address */
  keyGenerator: ValueDeterminingMiddleware<string>;
  /** The length of the network by which IPv6 addresses are counted, in bits; false for each address. @default 56 */
  ipv6Subnet: number | ValueDeterminingMiddleware<number> | false;
  /** Handles requests beyond the limit. @default sends `message` with `statusCode` */
  handler: RateLimitExceededEventHandler;
  /** Returns whether to let a request pass without counting it. */
  skip: ValueDeterminingMiddleware<boolean>;
  /** Returns whether a request succeeded. @default the status is below 400 */
  requestWasSuccessful: ValueDeterminingMiddleware<boolean>;
  /** @default new MemoryStore() */
  store: Store | LegacyStore;
  /** Which mistakes to check for, when the limiter is created and on its first request. @default true */
  validate: boolean | EnabledValidations;
  /** @deprecated `legacyHeaders` */
  headers?: boolean;
  /** Another name of `limit`. */
  max?: number | ValueDeterminingMiddleware<number>;
  /** Let requests pass if the store fails. @default false */
  passOnStoreError: boolean;
  /** The longest time in milliseconds to wait for the store to count a request; 0 for no limit. @default 30000 */
  storeTimeout?: number | string;
  /** @default the console */
  logger: Logger;
}

/** The information about the limit for handlers, as `req.rateLimit`. */
export interface RateLimitInfo {
  limit: number;
  used: number;
  remaining: number;
  resetTime: Date | undefined;
  key: string;
}

export type AugmentedRequest = Request & Record<string, RateLimitInfo>;
