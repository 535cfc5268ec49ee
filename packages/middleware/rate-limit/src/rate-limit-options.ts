/** Reads the options of a limiter. */
import { isIPv6 } from 'node:net';
import { timerDuration } from '@ristretto/private-engine/lib/amount';
import type { Request, Response } from 'express';
import { ipKeyGenerator } from './ip-key.js';
import { MemoryStore } from './memory-store.js';
import type {
  IncrementResponse,
  LegacyStore,
  Logger,
  Options,
  RateLimitInfo,
  Store,
  ValueDeterminingMiddleware,
} from './types.js';
import { validationsOf } from './validations.js';
import type { Validations } from './validations.js';

/** All options with their defaults, and the limiter's own members. */
export interface Config extends Omit<Options, 'store' | 'validate' | 'headers' | 'max' | 'handler'> {
  store: Store;
  /** May return a promise. */
  handler: (...args: Parameters<Options['handler']>) => unknown;
  validations: Validations;
  storeTimeout: number;
}

/* eslint-disable no-console -- The console is what express-rate-limit logs to */
const consoleLogger: Logger = {
  error: (error, message) => (message === undefined ? console.error(error) : console.error(message, error)),
  warn: (error, message) => (message === undefined ? console.warn(error) : console.warn(message, error)),
};
/* eslint-enable no-console */

/** Whether the application sends errors as problem details. */
function sendsProblems(request: Request): boolean {
  const { app } = request as { app?: { get?: (setting: string) => unknown } };
  return app?.get?.('error format') === 'problem';
}

function loggerOf(given: Partial<Logger> | null | undefined): Logger {
  if (given == null) return consoleLogger;
  if (typeof given.error !== 'function' || typeof given.warn !== 'function')
    throw new TypeError('Provided logger does not implement the Logger interface');
  return given as Logger;
}

/** A store with the interface before express-rate-limit 6. */
class PromisifiedStore implements Store {
  constructor(private readonly legacy: LegacyStore) {}

  increment(key: string): Promise<IncrementResponse> {
    return new Promise((resolve, reject) => {
      this.legacy.incr(key, (error, totalHits, resetTime) => {
        if (error) reject(error);
        else resolve({ totalHits, resetTime });
      });
    });
  }

  decrement(key: string): void {
    this.legacy.decrement(key);
  }

  resetKey(key: string): void {
    this.legacy.resetKey(key);
  }

  resetAll(): void {
    this.legacy.resetAll?.();
  }
}

const isFunctionOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'function';

function storeOf(given: unknown, validations: Validations): Store {
  if (given == null) return new MemoryStore(validations);
  const { incr, increment } = given as Partial<LegacyStore & Store>;
  const store: Store =
    typeof incr === 'function' && typeof increment !== 'function'
      ? new PromisifiedStore(given as LegacyStore)
      : (given as Store);
  if (
    typeof store.increment !== 'function' ||
    typeof store.decrement !== 'function' ||
    typeof store.resetKey !== 'function' ||
    !isFunctionOrAbsent(store.resetAll) ||
    !isFunctionOrAbsent(store.init)
  )
    throw new TypeError(
      'An invalid store was passed. Please ensure that the store is a class that implements the `Store` interface.',
    );
  return store;
}

/** Returns the name of a limit by its size and window, such as `100-in-15min`. */
function nameOf(limit: unknown, windowMs: number): string {
  const seconds = windowMs / 1000;
  const plural = (count: number) => (count === 1 ? '' : 's');
  if (seconds < 60) return `${String(limit)}-in-${seconds}sec`;
  const minutes = windowMs / (1000 * 60);
  if (minutes < 60) return `${String(limit)}-in-${minutes}min`;
  const hours = windowMs / (1000 * 60 * 60);
  if (hours < 24) return `${String(limit)}-in-${hours}hr${plural(hours)}`;
  const days = windowMs / (1000 * 60 * 60 * 24);
  return `${String(limit)}-in-${days}day${plural(days)}`;
}

/** Returns the client's address; without a framework, that of the connection. */
function addressOf(request: Request): string | undefined {
  return 'ip' in request ? request.ip : (request as Request).socket?.remoteAddress;
}

/** Sends a body with `res.send`, or in the same way if there is none. */
function send(response: Response, status: number, body: unknown): void {
  if (typeof (response as Partial<Response>).send === 'function') {
    response.status(status).send(body);
    return;
  }
  response.statusCode = status;
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  response.setHeader(
    'Content-Type',
    isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
  );
  response.end(isText ? body : JSON.stringify(body));
}

/** Throws if a limit could never be reached, which would let all requests pass. */
export function assertLimit(limit: unknown): void {
  if (limit == null || Number.isNaN(Number(limit)))
    throw new TypeError(`rateLimit: expected limit to be a number, got ${String(limit)}`);
}

function assertFunction(name: string, value: unknown): void {
  if (typeof value !== 'function')
    throw new TypeError(`rateLimit: expected ${name} to be a function, got ${String(value)}`);
}

/** Returns the key of a client by its address. */
function keyGeneratorOf(config: () => Config): ValueDeterminingMiddleware<string> {
  let isFirst = true;
  return (request, response) => {
    const { validations, ipv6Subnet } = config();
    const ip = addressOf(request);
    if (isFirst) {
      isFirst = false;
      validations.ip(ip);
      validations.trustProxy(request);
      validations.xForwardedForHeader(request);
      validations.forwardedHeader(request);
    }
    if (typeof ipv6Subnet !== 'function') return ipKeyGenerator(ip!, ipv6Subnet);
    if (!isIPv6(ip!)) return ipKeyGenerator(ip!);
    return Promise.resolve(ipv6Subnet(request, response)).then(subnet => {
      validations.ipv6Subnet(subnet);
      return ipKeyGenerator(ip!, subnet);
    });
  };
}

/** Returns the options with their defaults; logs mistakes. */
export function configOf(passed: Partial<Options> | undefined): Config {
  const given = Object.fromEntries(
    Object.entries(passed ?? {}).filter(([, value]) => value !== undefined),
  ) as Partial<Options> & Record<string, unknown>;
  const logger = loggerOf(given.logger);
  const validations = validationsOf(given.validate ?? true, logger);
  validations.validationsConfig();
  validations.knownOptions(passed);
  validations.draftPolliHeaders(given.draft_polli_ratelimit_headers);
  validations.onLimitReached(given.onLimitReached);
  if (given.ipv6Subnet !== undefined && typeof given.ipv6Subnet !== 'function')
    validations.ipv6Subnet(given.ipv6Subnet);
  validations.keyGeneratorIpFallback(given.keyGenerator);
  validations.ipv6SubnetOrKeyGenerator(given);
  const config: Config = {
    windowMs: 60_000,
    limit: given.max ?? 5,
    message: 'Too many requests, please try again later.',
    statusCode: 429,
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- Programs still use the old name
    legacyHeaders: given.headers ?? true,
    identifier: request => {
      const info = (request as unknown as Record<string, RateLimitInfo>)[config.requestPropertyName];
      return nameOf(info?.limit, config.windowMs);
    },
    requestPropertyName: 'rateLimit',
    skipFailedRequests: false,
    skipSuccessfulRequests: false,
    requestWasSuccessful: (_request, response) => response.statusCode < 400,
    skip: () => false,
    keyGenerator: keyGeneratorOf(() => config),
    ipv6Subnet: 56,
    handler: async (request, response, next) => {
      if (given.message === undefined && sendsProblems(request)) {
        const properties = { status: config.statusCode, expose: true, type: 'rate.exceeded' };
        next(Object.assign(new Error(config.message as string), properties));
        return;
      }
      const message = config.message as unknown;
      const body =
        typeof message === 'function'
          ? await (message as ValueDeterminingMiddleware<unknown>)(request, response)
          : message;
      if (!response.writableEnded) send(response, config.statusCode, body);
    },
    passOnStoreError: false,
    retryAfter: undefined,
    ...given,
    storeTimeout: timerDuration('the storeTimeout of rateLimit()', given.storeTimeout ?? 30_000, 0),
    standardHeaders: given.standardHeaders === true ? 'draft-6' : (given.standardHeaders ?? false),
    store: storeOf(given.store, validations),
    logger,
    validations,
  };
  if (typeof config.limit !== 'function') assertLimit(config.limit);
  for (const name of ['skip', 'keyGenerator', 'handler', 'requestWasSuccessful'] as const)
    assertFunction(name, config[name]);
  return config;
}
