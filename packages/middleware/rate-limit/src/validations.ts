/**
 * Checks for mistakes in options, proxies and stores. They are logged, each with its code, when a limiter is created and on
 * its first request.
 */
import { isIP } from 'node:net';
import type { Request } from 'express';
import type { EnabledValidations, Logger, Options, Store, ValidationName } from './types.js';

/** A mistake. `code` and `help` are those of express-rate-limit. */
class ValidationError extends Error {
  override name: string;
  code: string;
  help: string;

  constructor(code: string, message: string) {
    const url = `https://express-rate-limit.github.io/${code}/`;
    super(`${message} See ${url} for more information.`);
    this.name = this.constructor.name;
    this.code = code;
    this.help = url;
  }
}

/** An option whose meaning has changed. */
class ChangeWarning extends ValidationError {}

/** The stores of all limiters. */
const stores = new WeakSet<Store>();

/** The keys that were counted for a request, by store, for as long as limiters are validated. */
const counted = new WeakMap<Request, Map<unknown, Set<string>>>();

const OPTIONS = new Set([
  'windowMs',
  'limit',
  'message',
  'statusCode',
  'legacyHeaders',
  'standardHeaders',
  'identifier',
  'retryAfter',
  'requestPropertyName',
  'skipFailedRequests',
  'skipSuccessfulRequests',
  'keyGenerator',
  'ipv6Subnet',
  'handler',
  'skip',
  'requestWasSuccessful',
  'store',
  'validate',
  'headers',
  'max',
  'passOnStoreError',
  'storeTimeout',
  'logger',
  'draft_polli_ratelimit_headers',
]);

/** How the stack looks while a framework calls a handler. */
const IN_HANDLER = /\bLayer\.handle|[\\/]lib[\\/]router[\\/](?:walk|layer)\b/;

/** The longest delay of a timer. */
const MAX_TIMEOUT = 2 ** 31 - 1;

function settingOf(request: Request, name: string): unknown {
  // Requests of connect and of plain http have no application.
  const app = request.app as Partial<Request['app']> | undefined;
  return app?.get?.(name);
}

function assertSubnet(ipv6Subnet: unknown): void {
  if (ipv6Subnet === false) return;
  if (!(Number.isInteger(ipv6Subnet) && (ipv6Subnet as number) >= 32 && (ipv6Subnet as number) <= 64))
    throw new ValidationError(
      'ERR_ERL_IPV6_SUBNET',
      `Expected ipv6Subnet to be a whole number from 32 to 64, or false, got ${String(ipv6Subnet)}.`,
    );
}

/** The checks by name. Each throws if it finds a mistake. */
const checks = {
  validationsConfig(this: Validations): void {
    const unknown = Object.keys(this.enabled).find(name => name !== 'default' && !(name in checks));
    if (unknown !== undefined)
      throw new ValidationError(
        'ERR_ERL_UNKNOWN_VALIDATION',
        `There is no validation ${unknown}. Expected: default, ${Object.keys(checks).join(', ')}.`,
      );
  },
  knownOptions(options: object | undefined): void {
    const unknown = Object.keys(options ?? {}).find(name => !OPTIONS.has(name));
    if (unknown !== undefined)
      throw new ValidationError('ERR_ERL_UNKNOWN_OPTION', `Unexpected configuration option: ${unknown}`);
  },
  draftPolliHeaders(value?: unknown): void {
    if (value)
      throw new ChangeWarning(
        'WRN_ERL_DEPRECATED_DRAFT_POLLI_HEADERS',
        'The option draft_polli_ratelimit_headers was removed; use standardHeaders.',
      );
  },
  onLimitReached(value?: unknown): void {
    if (value)
      throw new ChangeWarning(
        'WRN_ERL_DEPRECATED_ON_LIMIT_REACHED',
        'The option onLimitReached was removed; use handler.',
      );
  },
  ipv6Subnet(value?: unknown): void {
    assertSubnet(value);
  },
  keyGeneratorIpFallback(keyGenerator?: unknown): void {
    if (typeof keyGenerator !== 'function') return;
    const source = Function.prototype.toString.call(keyGenerator);
    if (/\breq(?:uest)?\.ip\b/.test(source) && !source.includes('ipKeyGenerator'))
      throw new ValidationError(
        'ERR_ERL_KEY_GEN_IPV6',
        'keyGenerator uses req.ip without ipKeyGenerator, so an IPv6 client can send each request from another address.',
      );
  },
  ipv6SubnetOrKeyGenerator(options: Partial<Options>): void {
    if (options.ipv6Subnet !== undefined && options.keyGenerator !== undefined)
      throw new ValidationError(
        'ERR_ERL_IPV6SUBNET_OR_KEYGENERATOR',
        'ipv6Subnet has no effect if keyGenerator is set; pass it to ipKeyGenerator there.',
      );
  },
  windowMs(windowMs: unknown): void {
    if (!(typeof windowMs === 'number' && windowMs > 0 && windowMs <= MAX_TIMEOUT))
      throw new ValidationError(
        'ERR_ERL_WINDOW_MS',
        `Expected windowMs to be a number from 1 to ${MAX_TIMEOUT}, because MemoryStore uses a timer, got ${String(windowMs)}.`,
      );
  },
  creationStack(_store: Store): void {
    const { stack = '' } = new Error();
    if (IN_HANDLER.test(stack))
      throw new ValidationError(
        'ERR_ERL_CREATED_IN_REQUEST_HANDLER',
        'A limiter was created while a request was handled, so each request has its own limiter. Create it once.',
      );
  },
  unsharedStore(store: Store): void {
    if (stores.has(store))
      throw new ValidationError(
        'ERR_ERL_STORE_REUSE',
        'Several limiters share a store, so they count together. Create one for each, with its own prefix.',
      );
    stores.add(store);
  },
  ip(ip: string | undefined): void {
    if (ip === undefined)
      throw new ValidationError(
        'ERR_ERL_UNDEFINED_IP_ADDRESS',
        'The request has no IP address: its connection is closed, or the server does not listen on a port.',
      );
    if (isIP(ip) === 0)
      throw new ValidationError('ERR_ERL_INVALID_IP_ADDRESS', `Expected an IP address, got ${ip}.`);
  },
  trustProxy(request: Request): void {
    if (settingOf(request, 'trust proxy') === true)
      throw new ValidationError(
        'ERR_ERL_PERMISSIVE_TRUST_PROXY',
        "With 'trust proxy' set to true, clients choose their own IP address in X-Forwarded-For. Set it to the number or the addresses of the proxies.",
      );
  },
  xForwardedForHeader(request: Request): void {
    if (request.headers['x-forwarded-for'] && settingOf(request, 'trust proxy') === false)
      throw new ValidationError(
        'ERR_ERL_UNEXPECTED_X_FORWARDED_FOR',
        "The request has X-Forwarded-For but 'trust proxy' is false, so all clients of a proxy are counted together.",
      );
  },
  forwardedHeader(request: Request): void {
    if (request.headers.forwarded && request.ip === request.socket?.remoteAddress)
      throw new ValidationError(
        'ERR_ERL_FORWARDED_HEADER',
        'The request has Forwarded, which req.ip does not read, so all clients of a proxy are counted together.',
      );
  },
  positiveHits(hits: unknown): void {
    if (!Number.isInteger(hits) || (hits as number) < 1)
      throw new ValidationError(
        'ERR_ERL_INVALID_HITS',
        `Expected the store to return a positive whole number of hits, got ${String(hits)}.`,
      );
  },
  singleCount(request: Request, store: Store, key: string): void {
    let keysOf = counted.get(request);
    if (keysOf === undefined) counted.set(request, (keysOf = new Map<unknown, Set<string>>()));
    // Store instances that are connected to the same database share their counts.
    const place = store.localKeys ? store : store.constructor.name;
    let keys = keysOf.get(place);
    if (keys === undefined) keysOf.set(place, (keys = new Set()));
    const stored = `${store.prefix ?? ''}${key}`;
    if (keys.has(stored))
      throw new ValidationError(
        'ERR_ERL_DOUBLE_COUNT',
        `The hit count for ${key} was incremented more than once for a single request.`,
      );
    keys.add(stored);
  },
  limit(limit: number): void {
    if (limit === 0)
      throw new ChangeWarning(
        'WRN_ERL_MAX_ZERO',
        'A limit of 0 rejects all requests; before version 7 it allowed all.',
      );
  },
  headersDraftVersion(version?: unknown): void {
    if (version !== 'draft-6' && version !== 'draft-7' && version !== 'draft-8')
      throw new ValidationError(
        'ERR_ERL_HEADERS_UNSUPPORTED_DRAFT_VERSION',
        `Expected standardHeaders to be draft-6, draft-7 or draft-8, got ${String(version)}.`,
      );
  },
  headersResetTime(resetTime?: Date): void {
    if (!resetTime)
      throw new ValidationError(
        'ERR_ERL_HEADERS_NO_RESET',
        'The headers tell when the window ends, but the store does not return resetTime.',
      );
  },
} satisfies Record<ValidationName, (...args: never[]) => void>;

type Checks = { [Name in keyof typeof checks]: (...args: Parameters<(typeof checks)[Name]>) => void };

/** The checks of a limiter: they log mistakes, and each runs once. */
export interface Validations extends Checks {
  enabled: Record<string, boolean>;
  disable(): void;
}

/** Returns checks, of which only the specified ones are enabled. */
export function validationsOf(given: boolean | EnabledValidations, logger: Logger): Validations {
  const enabled: Record<string, boolean> =
    typeof given === 'object' ? { default: true, ...given } : { default: given };
  const validations = {
    enabled,
    disable() {
      enabled.default = false;
      for (const name of Object.keys(enabled)) enabled[name] = false;
    },
  } as unknown as Validations;
  for (const [name, check] of Object.entries(checks) as [keyof Checks, (...args: unknown[]) => void][])
    validations[name] = (...args: unknown[]) => {
      if (!(enabled[name] ?? enabled.default)) return;
      enabled[name] = false;
      try {
        check.apply(validations, args);
      } catch (error) {
        if (error instanceof ChangeWarning) logger.warn(error);
        else logger.error(error);
      }
    };
  return validations;
}
