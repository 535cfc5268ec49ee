// runs: slow
/** express-rate-limit is the reference: generated options, stores, addresses and times give the same responses. */
import { mock } from 'node:test';
import * as theirs from 'express-rate-limit';
import ours from '@ristretto/rate-limit';
import { differentialTest } from '../../test-support/differential.js';
import type { Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

/** JSON, with objects that have the key `$` for values it cannot represent. */
type Value = unknown;

interface Package {
  rateLimit: (options?: object) => never;
  MemoryStore: new () => object;
  ipKeyGenerator: (ip: string, subnet?: number | false) => string;
}

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

const ADDRESSES =
  words(`192.0.2.1 192.0.2.2 2001:db8::1 2001:db8::2 2001:db8:0:100::1 2001:db8:0:1ff::1 2001:DB8:0:0:1::1
  ::ffff:192.0.2.1 ::ffff:c000:0201 ::1 1:2:3:4:5:6:7:8 fe80::1`);

const later = (random: Random, value: Value): Value =>
  random.weighted<Value>([
    [4, () => value],
    [2, () => ({ $: 'returns', value })],
    [1, () => ({ $: 'resolves', value })],
    [0.3, () => ({ $: 'throws' })],
    [0.3, () => ({ $: 'rejects' })],
  ]);

function limiterOptions(random: Random): Record<string, Value> {
  const result: Record<string, Value> = {};
  const maybe = (share: number, name: string, make: () => Value) => {
    if (random.chance(share)) result[name] = make();
  };
  maybe(0.7, 'windowMs', () =>
    random.pick([1000, 1500, 59_999, 60_000, 5_400_000, 3_600_000, 86_400_000, 172_800_000]),
  );
  maybe(0.7, 'limit', () => later(random, random.pick([0, 1, 1, 2, 2, 3, '2', 1.5])));
  maybe(0.1, 'max', () => random.pick([1, 2]));
  maybe(0.5, 'legacyHeaders', () => random.pick([true, false, false]));
  maybe(0.1, 'headers', () => random.pick([true, false]));
  maybe(0.8, 'standardHeaders', () =>
    random.pick([true, false, 'draft-6', 'draft-7', 'draft-8', 'draft-8', 'draft-8', 'draft-9']),
  );
  maybe(0.3, 'identifier', () => later(random, 'name'));
  maybe(0.3, 'retryAfter', () => later(random, random.pick([0, 5, 7.5, null, undefined])));
  maybe(0.3, 'message', () => later(random, random.pick(['slow down', { error: 'slow down' }, '<b>', ''])));
  maybe(0.2, 'statusCode', () => random.pick([503, 420]));
  maybe(0.2, 'requestPropertyName', () => random.pick(['limits', 'rateLimit']));
  maybe(0.3, 'skipFailedRequests', () => true);
  maybe(0.3, 'skipSuccessfulRequests', () => true);
  maybe(0.2, 'requestWasSuccessful', () =>
    random.pick([
      { $: 'returns', value: true },
      { $: 'resolves', value: false },
    ]),
  );
  maybe(0.2, 'skip', () => ({
    $: random.pick(['returns', 'resolves', 'throws', 'rejects']),
    value: random.chance(0.3),
  }));
  maybe(0.3, 'keyGenerator', () =>
    random.pick([
      { $: 'returns', value: 'key' },
      { $: 'resolves', value: 'key' },
      { $: 'returns', value: random.pick([undefined, null, 5]) },
      { $: 'byAddress' },
      { $: 'byIp' },
    ]),
  );
  maybe(0.4, 'ipv6Subnet', () =>
    random.pick([
      64,
      60,
      56,
      52,
      48,
      32,
      33,
      128,
      20,
      false,
      { $: 'returns', value: 48 },
      { $: 'resolves', value: 64 },
    ]),
  );
  maybe(0.4, 'handler', () =>
    random.pick([{ $: 'handles' }, { $: 'passes' }, { $: 'throws' }, { $: 'rejects' }]),
  );
  maybe(0.2, 'passOnStoreError', () => true);
  maybe(0.2, 'validate', () =>
    random.pick([
      true,
      false,
      { default: false },
      { xForwardedForHeader: false },
      { unknown: true },
      { default: false, limit: true },
    ]),
  );
  maybe(0.5, 'store', () => ({
    $: 'store',
    kind: random.pick(
      words(`memory direct promise initThrows initRejects legacy noReset throws rejects badHits bad`),
    ),
  }));
  maybe(0.05, 'unknown', () => 1);
  maybe(0.05, 'onLimitReached', () => 1);
  maybe(0.05, 'draft_polli_ratelimit_headers', () => true);
  return result;
}

type Trace = string[];

/** Stores that record their calls. */
function makeStore(kind: string, { MemoryStore }: Package, trace: Trace): object {
  if (kind === 'memory') return new MemoryStore();
  if (kind === 'bad') return { increment: 1 };
  const counts = new Map<string, number>();
  const count = (key: string) => {
    const hits = (counts.get(key) ?? 0) + 1;
    counts.set(key, hits);
    trace.push(`increment ${key}`);
    return {
      totalHits: kind === 'badHits' ? -hits : hits,
      resetTime: kind === 'noReset' ? undefined : new Date(NOW + 7500),
    };
  };
  const store = {
    init: (options: object) => {
      trace.push(`init ${Object.keys(options).join()}`);
      if (kind === 'initThrows') throw new Error('store did not start');
      return kind === 'initRejects' ? Promise.reject(new Error('store did not start')) : undefined;
    },
    decrement: (key: string) => {
      trace.push(`decrement ${key}`);
      counts.set(key, (counts.get(key) ?? 0) - 1);
    },
    resetKey: (key: string) => void counts.delete(key),
  };
  if (kind === 'legacy')
    return {
      ...store,
      incr: (key: string, callback: (error: unknown, hits: number, resetTime?: Date) => void) => {
        const { totalHits, resetTime } = count(key);
        callback(null, totalHits, resetTime);
      },
    };
  const failing = (key: string) => {
    if (counts.get(key) === 2) throw new Error('store failed');
    return count(key);
  };
  if (kind === 'throws') return { ...store, increment: failing };
  if (kind === 'rejects')
    return { ...store, increment: async (key: string) => Promise.resolve(failing(key)) };
  if (kind === 'promise') return { ...store, increment: async (key: string) => Promise.resolve(count(key)) };
  return { ...store, increment: count };
}

type AnyRequest = { ip: string; headers: Record<string, string> } & Record<string, unknown>;

/** Returns the value that an object with the key `$` represents. */
function revive(name: string, given: Value, used: Package, trace: Trace): Value {
  if (given === null || typeof given !== 'object' || !('$' in given)) return given;
  const { $, value, kind = '' } = given as { $: string; value?: Value; kind?: string };
  const fail = () => {
    throw new Error(`${name} failed`);
  };
  const makers: Record<string, () => Value> = {
    returns: () => () => value,
    resolves: () => () => Promise.resolve(value),
    throws: () => fail,
    rejects: () => async () => Promise.resolve().then(fail),
    byAddress: () => (req: AnyRequest) => used.ipKeyGenerator(req.ip, 64),
    byIp: () => (req: AnyRequest) => req.ip,
    handles:
      () =>
      (
        _req: unknown,
        res: { status(code: number): { send(body: string): void } },
        _next: unknown,
        options: { statusCode: number },
      ) =>
        res.status(options.statusCode).send(Object.keys(options).sort().join()),
    passes: () => (_req: unknown, _res: unknown, next: () => void) => next(),
    store: () => makeStore(kind, used, trace),
  };
  return makers[$]!();
}

const INIT_ERROR =
  /rateLimit: the store could not start\.|express-rate-limit: (?:async )?error during store initialization\./;
const KEY_ERROR =
  /TypeError(?: \[ERR_INVALID_ARG_TYPE\])?: (?:The "data" argument must be of|rateLimit: expected keyGenerator to return) .*/;

interface Options {
  options: Record<string, Value>;
  /** How many limiters are used one after the other. */
  limiters: number;
}

const original = theirs as unknown as Package;

differentialTest<Package, Options>({
  name: 'rate-limit',
  original,
  ours: ours as unknown as Package,
  on: ['express4', 'express5', 'ristretto', 'ristretto5', 'ristretto3'],
  settings: { 'trust proxy': 1 },
  generate: random => ({
    options: { options: limiterOptions(random), limiters: random.chance(0.15) ? 2 : 1 },
    requests: random.many(1, 5, () => {
      const headers: [string, string][] = [];
      if (random.chance(0.8))
        headers.push([
          'X-Forwarded-For',
          random.pick(random.chance(0.6) ? ADDRESSES.slice(0, 4) : ADDRESSES),
        ]);
      else if (random.chance(0.1)) headers.push(['X-Forwarded-For', 'unknown']);
      if (random.chance(0.05)) headers.push(['Forwarded', 'for=192.0.2.1']);
      if (random.chance(0.3))
        headers.push(['X-Advance', String(random.pick([400, 1000, 60_000, 3_600_000]))]);
      return { method: 'GET', target: random.pick(['/', '/', '/fails', '/throws', '/sent']), headers };
    }),
  }),
  build(used, { options, limiters }, trace) {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: NOW });
    const describe = (error: unknown, message?: string) =>
      `${(error as { code?: string }).code ?? String(error)} ${String(message).replace(INIT_ERROR, 'start')}`;
    const logger = {
      error: (error: unknown, message?: string) => void trace.push(`error ${describe(error, message)}`),
      warn: (error: unknown, message?: string) => void trace.push(`warn ${describe(error, message)}`),
    };
    const make = () => {
      const entries = Object.entries(options).map(([name, value]) => [
        name,
        revive(name, value, used, trace),
      ]);
      return used.rateLimit({ logger, ...Object.fromEntries(entries) });
    };
    const property = String(options.requestPropertyName ?? 'rateLimit');
    return [
      (req, res, next) => {
        mock.timers.tick(Number(req.headers['x-advance'] ?? 0));
        if (req.url === '/sent') res.write('sent');
        next();
      },
      ...Array.from({ length: limiters }, make),
      (req, res, next) => {
        const info = (req as unknown as Record<string, { current?: number } | undefined>)[property];
        trace.push(`handled ${JSON.stringify(info)} ${String(info?.current)}`);
        if (req.url === '/throws') throw new Error('of the handler');
        if (req.url === '/fails') res.statusCode = 503;
        if (req.url === '/never') next();
        res.end('ok');
      },
    ];
  },
  normalize(observed) {
    const state = observed.state.replace(/^thrown TypeError.*/s, 'thrown TypeError');
    // Ours names the option; the original has the error of the hash.
    const same = (text: string) => text.replace(KEY_ERROR, 'TypeError: of the key');
    if (!KEY_ERROR.test(observed.body)) return { ...observed, state };
    const headers = observed.headers.filter(line => !line.startsWith('Content-Length'));
    return { ...observed, state, headers, body: same(observed.body), trace: observed.trace.map(same) };
  },
});
