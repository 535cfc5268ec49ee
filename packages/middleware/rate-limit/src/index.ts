/**
 * Limits how many requests a client may send: the interface of express-rate-limit 8. A request is handled without
 * promises unless an option or the store returns one.
 */
import { format } from 'node:util';
import type { NextFunction, Request, Response } from 'express';
import {
  secondsLeft,
  setDraft6Headers,
  setDraft7Headers,
  setDraft8Headers,
  setLegacyHeaders,
} from './headers.js';
import { ipKeyGenerator } from './ip-key.js';
import { MemoryStore } from './memory-store.js';
import type { Client as ClientType } from './memory-store.js';
import { assertLimit, configOf } from './rate-limit-options.js';
import type { Config } from './rate-limit-options.js';
import type * as types from './types.js';
import type { IncrementResponse, Options, RateLimitInfo, RateLimitRequestHandler } from './types.js';
import type { Validations as ValidationsType } from './validations.js';

type MaybePromise<T> = T | PromiseLike<T>;

function isPromise<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === 'function';
}

/** Calls the next step with a value: immediately, unless it is a promise. */
function then<T, Result>(
  value: MaybePromise<T>,
  step: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return isPromise(value) ? value.then(step) : step(value);
}

/** The decision of a limiter: to call `next`, or to do nothing because the response has been sent. */
type Verdict = 'next' | 'handled';

/** The parts of the configuration that handlers and stores can see: the options of express-rate-limit. */
function optionsOf({ validations, storeTimeout: _, ...config }: Config): Options {
  return { ...config, validate: validations.enabled };
}

/** Counts a request, without a promise if the store is ours. */
function increment(store: types.Store, key: string): MaybePromise<IncrementResponse> {
  return store instanceof MemoryStore && store.increment === MemoryStore.prototype.increment
    ? store.count(key)
    : store.increment(key);
}

/** Waits for a store, at most for a time. @param milliseconds 0 for no limit */
function within<T>(milliseconds: number, promise: PromiseLike<T>): PromiseLike<T> {
  if (milliseconds === 0) return promise;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut(milliseconds)), milliseconds);
    promise.then(
      value => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);

        reject(error);
      },
    );
  });
}

function timedOut(milliseconds: number): Error {
  return Object.assign(
    new Error(`The rate-limit store has not responded within ${milliseconds} ms (option storeTimeout)`),
    { code: 'ESTORETIMEOUT', status: 503 },
  );
}

/** Whether the connection of a response is closed; over HTTP/2, its stream says so. */
function isClosed(response: Response & { stream?: { destroyed: boolean } }): boolean {
  return response.closed || response.destroyed || response.stream?.destroyed === true;
}

/** Undoes the count of a request if its response shows that it should not be counted. */
function watch(config: Config, info: RateLimitInfo, request: Request, response: Response): void {
  const { store, skipFailedRequests, skipSuccessfulRequests, logger } = config;
  // Read now: a store may move this date when it begins the next window.
  const end = info.resetTime?.getTime() ?? Infinity;
  let isUncounted = false;
  const uncount = async () => {
    // A later decrement would affect the next window.
    if (isUncounted || Date.now() >= end) return;
    await store.decrement(info.key);
    isUncounted = true;
  };
  // Nobody awaits these promises: a failure of the store must not end the process.
  const safely = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => {
      logger.error(error, 'rateLimit: the count of a request could not be undone.');
    });
  };
  const isSuccess = async () => config.requestWasSuccessful(request, response);
  if (skipFailedRequests) {
    // The client has disconnected while the store counted.
    if (isClosed(response)) safely(uncount)();
    response.on(
      'finish',
      safely(async () => ((await isSuccess()) ? undefined : uncount())),
    );
    response.on(
      'close',
      safely(async () => (response.writableEnded ? undefined : uncount())),
    );
    response.on('error', safely(uncount));
  }
  if (skipSuccessfulRequests)
    response.on(
      'finish',
      safely(async () => ((await isSuccess()) ? uncount() : undefined)),
    );
}

/** One limiter. */
class Limiter {
  private readonly options: Options;
  /** Whether the first request is still to be counted: its result is validated. */
  private isFirst = true;

  constructor(private readonly config: Config) {
    this.options = optionsOf(config);
    config.validations.creationStack(config.store);
    config.validations.unsharedStore(config.store);
    void this.initStore();
  }

  /** Requests reject with the store's errors; an error on start must not end the process. */
  private async initStore(): Promise<void> {
    const { store, logger } = this.config;
    try {
      await store.init?.(this.options);
    } catch (error) {
      logger.error(error, 'rateLimit: the store could not start.');
    }
  }

  /** Decides about a request, and counts it. */
  decide(request: Request, response: Response, next: NextFunction): MaybePromise<Verdict> {
    const { skip, keyGenerator } = this.config;
    return then(skip(request, response), isSkipped =>
      isSkipped
        ? 'next'
        : then(keyGenerator(request, response), key => this.count(key, request, response, next)),
    );
  }

  private count(
    key: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): MaybePromise<Verdict> {
    const { store } = this.config;
    let result: MaybePromise<IncrementResponse>;
    try {
      result = increment(store, key);
    } catch (error) {
      return this.survive(error);
    }
    if (!isPromise(result)) return this.counted(result, key, request, response, next);
    return within(this.config.storeTimeout, result).then(
      counted => this.counted(counted, key, request, response, next),
      (error: unknown) => this.survive(error),
    );
  }

  /** Lets the request pass although the store failed, if that is enabled. */
  private survive(error: unknown): Verdict {
    if (!this.config.passOnStoreError) throw error;
    this.config.logger.error(
      error,
      'express-rate-limit: error from store, allowing request without rate-limiting.',
    );
    return 'next';
  }

  private counted(
    result: IncrementResponse,
    key: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): MaybePromise<Verdict> {
    if ((result as unknown) == null)
      throw new TypeError(
        `rateLimit: expected increment() of the store to return { totalHits, resetTime }, got ${format(result)}`,
      );
    const { totalHits, resetTime } = result;
    const { limit, validations, store } = this.config;
    if (this.isFirst) {
      validations.positiveHits(totalHits);
      validations.singleCount(request, store, key);
    }
    if (typeof limit !== 'function')
      return this.limited(limit, totalHits, resetTime, key, request, response, next);
    return then(limit(request, response), found => {
      assertLimit(found);
      return this.limited(found, totalHits, resetTime, key, request, response, next);
    });
  }

  private limited(
    limit: number,
    totalHits: number,
    resetTime: Date | undefined,
    key: string,
    request: Request,
    response: Response,
    next: NextFunction,
  ): MaybePromise<Verdict> {
    const { config } = this;
    if (this.isFirst) config.validations.limit(limit);
    this.isFirst = false;
    const info = new Info(limit, totalHits, resetTime, key);
    (request as unknown as Record<string, RateLimitInfo>)[config.requestPropertyName] = info;
    const isSent = response.headersSent;
    if (config.legacyHeaders && !isSent) setLegacyHeaders(response, info);
    if (!config.standardHeaders || isSent) return this.finish(info, request, response, next);
    return then(this.setStandardHeaders(info, request, response), () =>
      this.finish(info, request, response, next),
    );
  }

  private setStandardHeaders(
    info: RateLimitInfo,
    request: Request,
    response: Response,
  ): MaybePromise<void> | undefined {
    const { standardHeaders, windowMs, validations, identifier } = this.config;
    switch (standardHeaders) {
      case 'draft-6':
        setDraft6Headers(response, info, windowMs);
        return undefined;
      case 'draft-7':
        validations.headersResetTime(info.resetTime);
        setDraft7Headers(response, info, windowMs);
        return undefined;
      case 'draft-8':
        return then(typeof identifier === 'function' ? identifier(request, response) : identifier, name => {
          validations.headersResetTime(info.resetTime);
          setDraft8Headers(response, info, windowMs, name);
        });
      default:
        validations.headersDraftVersion(standardHeaders);
        return undefined;
    }
  }

  private finish(
    info: RateLimitInfo,
    request: Request,
    response: Response,
    next: NextFunction,
  ): MaybePromise<Verdict> {
    const { config } = this;
    if (config.skipFailedRequests || config.skipSuccessfulRequests) watch(config, info, request, response);
    if (!(info.used > info.limit)) return 'next';
    const { legacyHeaders, standardHeaders, retryAfter, windowMs, handler } = config;
    const handle = (seconds?: number | null) => {
      if ((legacyHeaders || standardHeaders) && !response.headersSent)
        response.setHeader('Retry-After', String(seconds ?? secondsLeft(info.resetTime, windowMs)));
      const handled = handler(request, response, next, this.options);
      return then(handled, (): Verdict => 'handled');
    };
    if (!(legacyHeaders || standardHeaders)) return handle();
    return then(typeof retryAfter === 'function' ? retryAfter(request, response) : retryAfter, handle);
  }
}

/** The information about the limit for handlers. */
class Info implements RateLimitInfo {
  limit: number;
  used: number;
  remaining: number;
  resetTime: Date | undefined;
  key: string;

  constructor(limit: number, used: number, resetTime: Date | undefined, key: string) {
    this.limit = limit;
    this.used = used;
    this.remaining = Math.max(limit - used, 0);
    this.resetTime = resetTime;
    this.key = key;
  }

  /** The name of `used` before express-rate-limit 7. */
  get current(): number {
    return this.used;
  }
}

/**
 * Returns middleware that limits how many requests a client may send in a window of time.
 *
 * @param passedOptions all have defaults
 * @throws {TypeError} if the store, the logger, the limit or a function is not one
 * @example
 * app.use(rateLimit({ windowMs: 15 * 60 * 1000, limit: 100, standardHeaders: 'draft-8', legacyHeaders: false }));
 */
function rateLimit(passedOptions?: Partial<Options>): RateLimitRequestHandler {
  const config = configOf(passedOptions);
  const limiter = new Limiter(config);
  const { store } = config;
  const handle = (request: Request, response: Response, next: NextFunction) => {
    // Without a reason, `next` would take the failure of a store or an option for permission
    const fail = (error: unknown): void => {
      next(error || new Error(`rateLimit: a store or an option failed without a reason (${String(error)})`));
    };
    let verdict: MaybePromise<Verdict>;
    try {
      verdict = limiter.decide(request, response, next);
    } catch (error) {
      fail(error);
      return undefined;
    }
    if (isPromise(verdict))
      return Promise.resolve(verdict)
        .then(found => {
          if (found === 'next') next();
        })
        .catch(fail);
    if (verdict === 'next') next();
    return undefined;
  };
  return Object.assign(handle as unknown as RateLimitRequestHandler, {
    resetKey: store.resetKey.bind(store),
    getKey:
      store.get?.bind(store) ??
      (() => {
        throw new Error('The current store does not support the get/getKey method');
      }),
  });
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

Object.assign(rateLimit, {
  DAY,
  HOUR,
  MINUTE,
  MemoryStore,
  SECOND,
  default: rateLimit,
  ipKeyGenerator,
  rateLimit,
});

declare namespace rateLimit {
  export { DAY, HOUR, ipKeyGenerator, MemoryStore, MINUTE, rateLimit, rateLimit as default, SECOND };
  export type AugmentedRequest = types.AugmentedRequest;
  export type Client = ClientType;
  export type ClientRateLimitInfo = types.ClientRateLimitInfo;
  export type DraftHeadersVersion = types.DraftHeadersVersion;
  export type EnabledValidations = types.EnabledValidations;
  export type IncrementCallback = types.IncrementCallback;
  export type IncrementResponse = types.IncrementResponse;
  export type LegacyStore = types.LegacyStore;
  export type Logger = types.Logger;
  export type LoggerFn = types.LoggerFn;
  export type Options = types.Options;
  export type RateLimitExceededEventHandler = types.RateLimitExceededEventHandler;
  export type RateLimitInfo = types.RateLimitInfo;
  export type RateLimitReachedEventHandler = types.RateLimitReachedEventHandler;
  export type RateLimitRequestHandler = types.RateLimitRequestHandler;
  export type Store = types.Store;
  export type Validations = ValidationsType;
  export type ValueDeterminingMiddleware<T> = types.ValueDeterminingMiddleware<T>;
}

// Node.js finds the names for `import { rateLimit } from` by reading this text, and only understands names of this
// file; the last line replaces the value.
const ofAddress = ipKeyGenerator;
const InMemory = MemoryStore;
module.exports = { DAY, HOUR, MINUTE, SECOND, MemoryStore: InMemory, ipKeyGenerator: ofAddress, rateLimit };

export = rateLimit;
