import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { describe, mock, test } from 'node:test';
import * as original from 'express-rate-limit';
import { RedisStore } from 'rate-limit-redis';
import type { RedisReply } from 'rate-limit-redis';
import rateLimit, { ipKeyGenerator, MemoryStore } from '@ristretto/rate-limit';
import type { Options, Store } from '@ristretto/rate-limit';
import { Random } from '../../../engine/test/support/random.js';
import { ask, portOf } from '../../../engine/test/support/http.js';
import { application, errorHandler } from '../../test-support/frameworks.js';
import type { FrameworkName, Handler } from '../../test-support/frameworks.js';

const quiet = { error: () => undefined, warn: () => undefined };

function app(options: Partial<Options>, name: FrameworkName = 'express4', settings = {}) {
  const limiter = rateLimit({ logger: quiet, ...options }) as unknown as Handler;
  const reports = errorHandler((error, _req, res, _next) => {
    res.statusCode = 500;
    res.end(String(error));
  });
  return application(name, [limiter, (_req, res) => res.end('ok'), reports], settings);
}

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
const proxied = { 'trust proxy': 1 };

/** A store with the given `increment`. */
function storeWith(increment: Store['increment'], others: Partial<Store> = {}): Store {
  return { increment, decrement: () => undefined, resetKey: () => undefined, ...others };
}

describe('rate-limit', () => {
  test('rate-limit: exports the members of the original, for import and for require', async () => {
    const members = Object.keys(original).filter(name => name !== 'module.exports');
    assert.deepEqual(Object.keys(rateLimit).sort(), members.filter(name => name !== 'name').sort());
    const imported = Object.keys((await import('@ristretto/rate-limit')) as object);
    for (const name of members) assert.ok(imported.includes(name), name);
    assert.equal(rateLimit.rateLimit, rateLimit);
    assert.equal(rateLimit.MINUTE, 60_000);
  });

  test('rate-limit: keys for generated addresses match the original', () => {
    const random = new Random(7);
    const group = () =>
      random.weighted([
        [3, () => '0'],
        [2, () => random.between(0, 0xffff).toString(16)],
        [1, () => '00Ab'.slice(random.between(0, 3))],
      ] as const);
    for (let index = 0; index < 3000; index++) {
      const groups = Array.from({ length: 8 }, group);
      const start = random.between(0, 7);
      const length = random.between(0, 8 - start);
      const isShort = random.chance(0.6) && length > 0;
      let ip = isShort
        ? `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
        : groups.join(':');
      if (random.chance(0.1)) ip = `::ffff:${random.between(0, 255)}.0.2.${random.between(0, 255)}`;
      if (random.chance(0.05)) ip = `::${random.between(0, 255)}.0.2.1`;
      if (random.chance(0.1)) ip += '%eth0';
      const subnet = random.pick([undefined, 64, 60, 56, 48, 32, 1, 127, 128, false] as const);
      assert.equal(
        ipKeyGenerator(ip, subnet),
        original.ipKeyGenerator(ip, subnet),
        `${ip} ${String(subnet)}`,
      );
    }
  });

  test('rate-limit: a network of an impossible length is an error', () => {
    for (const subnet of [129, -1, 0.5, 'x'])
      assert.throws(
        () => ipKeyGenerator('2001:db8::1', subnet as number),
        /expected ipv6Subnet to be a whole number/,
      );
  });

  test('rate-limit: IPv4 clients on a dual-stack server are counted one by one (CVE-2026-30827, GHSA-46wh-pxpv-q5gq)', async () => {
    const server = app({ limit: 1 }, 'express4', proxied);
    assert.equal((await ask(server, from('::ffff:192.0.2.1'))).status, 200);
    assert.equal((await ask(server, from('::ffff:192.0.2.2'))).status, 200);
    assert.equal((await ask(server, from('::ffff:c000:0201'))).status, 429);
    assert.equal((await ask(server, from('192.0.2.1'))).status, 429);
  });

  test('rate-limit: different spellings of an address have the same key', () => {
    for (const mapped of [
      '::ffff:192.0.2.1',
      '::FFFF:c000:201',
      '0:0:0:0:0:ffff:192.0.2.1',
      '::ffff:c000:0201',
    ])
      assert.equal(ipKeyGenerator(mapped), '192.0.2.1', mapped);
    // Not IPv4 clients: ordinary addresses, and those that NAT64 translates
    for (const [dotted, hexadecimal] of [
      ['2001:db8::192.0.2.1', '2001:db8::c000:201'],
      ['64:ff9b::192.0.2.1', '64:ff9b::c000:201'],
      ['::ffff:0:192.0.2.1', '::ffff:0:c000:201'],
    ] as const) {
      assert.equal(ipKeyGenerator(dotted), ipKeyGenerator(hexadecimal));
      assert.match(ipKeyGenerator(dotted), /::\/56$/);
    }
  });

  test('rate-limit: an IPv6 client that changes its address within its network is limited', async () => {
    const server = app({ limit: 1 }, 'express4', proxied);
    assert.equal((await ask(server, from('2001:db8::1'))).status, 200);
    assert.equal((await ask(server, from('2001:db8:0:ff::2'))).status, 429);
    assert.equal((await ask(server, from('2001:db8:0:100::1'))).status, 200);
  });

  test('rate-limit: without a framework, uses the address of the connection, and responds with text or JSON', async () => {
    for (const name of ['http', 'connect'] as const) {
      const server = app({ limit: 1, standardHeaders: 'draft-8' }, name);
      assert.equal((await ask(server)).status, 200);
      const answer = await ask(server);
      assert.equal(answer.status, 429);
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
      assert.match(answer.headers.ratelimit!, /^"1-in-1min"; r=0; t=60$/);
    }
    const json = app({ limit: 0, message: { error: 'slow down' } }, 'http');
    assert.equal((await ask(json)).text, '{"error":"slow down"}');
  });

  test('rate-limit: a limit that is not a number throws instead of meaning no limit', async () => {
    for (const limit of [NaN, null, 'many', {}])
      assert.throws(() => rateLimit({ limit: limit as number }), /expected limit to be a number, got/);
    const server = app({ limit: () => Promise.resolve(NaN) });
    const answer = await ask(server);
    assert.equal(answer.status, 500);
    assert.match(answer.text, /expected limit to be a number, got NaN/);
  });

  test('rate-limit: options that must be functions are checked when the limiter is created', () => {
    for (const name of ['skip', 'keyGenerator', 'handler', 'requestWasSuccessful'])
      assert.throws(() => rateLimit({ [name]: 5 }), new RegExp(`expected ${name} to be a function, got 5`));
  });

  test('rate-limit: a request is handled without a promise if the options and the store return none', () => {
    const limiter = rateLimit({
      limit: 1,
      standardHeaders: 'draft-8',
      validate: false,
    }) as unknown as Handler;
    const req = { ip: '192.0.2.1', headers: {} } as unknown as http.IncomingMessage;
    const res = new http.ServerResponse(new http.IncomingMessage(undefined as never));
    let calls = 0;
    assert.equal(
      limiter(req, res, () => calls++),
      undefined,
    );
    assert.equal(calls, 1);
  });

  test('rate-limit: a subclass of MemoryStore is called through its own increment', async () => {
    class Doubling extends MemoryStore {
      override async increment(key: string) {
        await super.increment(key);
        return super.increment(key);
      }
    }
    const server = app({ limit: 3, store: new Doubling() });
    assert.equal((await ask(server)).headers['x-ratelimit-remaining'], '1');
    assert.equal((await ask(server)).status, 429);
  });

  test('rate-limit: resetKey and getKey reach the store', async () => {
    const limiter = rateLimit({ limit: 1, validate: false, keyGenerator: () => 'key' });
    const server = application('express4', [limiter as unknown as Handler, (_req, res) => res.end('ok')]);
    await ask(server);
    assert.equal((await limiter.getKey('key'))?.totalHits, 1);
    limiter.resetKey('key');
    assert.equal(await limiter.getKey('key'), undefined);
    const without = rateLimit({ store: storeWith(() => ({ totalHits: 1, resetTime: undefined })) });
    assert.throws(() => without.getKey('key'), /does not support the get/);
  });

  test('rate-limit: the store of rate-limit-redis works as with the original', async () => {
    const counts = new Map<string, number>();
    const sendCommand = (...args: string[]): Promise<RedisReply> => {
      if (args[0] === 'SCRIPT') return Promise.resolve(`sha of ${args[2]!.length}`);
      const key = args.find(each => each.startsWith('rl:'))!;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return Promise.resolve([counts.get(key)!, 5000]);
    };
    const store = new RedisStore({ sendCommand }) as unknown as Store;
    const server = app({ limit: 1, store, standardHeaders: 'draft-7' });
    const answer = await ask(server);
    assert.equal(answer.headers.ratelimit, 'limit=1, remaining=0, reset=5');
    assert.equal((await ask(server)).status, 429);
    assert.deepEqual([...counts.keys()], ['rl:127.0.0.1']);
  });

  test('rate-limit: a store that fails rejects requests, and lets them pass only if asked to', async () => {
    const failing = () => Promise.reject(new Error('no connection'));
    assert.equal((await ask(app({ store: storeWith(failing) }))).text, 'Error: no connection');
    assert.equal((await ask(app({ store: storeWith(failing), passOnStoreError: true }))).text, 'ok');
  });

  test('rate-limit: a failure without a reason rejects the request, and is no permission', async () => {
    const fail = async () => Promise.reject(undefined as unknown as Error);
    const { status, text } = await ask(app({ store: storeWith(fail) }));
    assert.deepEqual([status, text.includes('failed without a reason (undefined)')], [500, true]);
    assert.equal((await ask(app({ keyGenerator: fail }))).status, 500);
  });

  test('rate-limit: a store that stalls fails the request after storeTimeout, or lets it pass if asked to', async () => {
    let answer: ((counted: { totalHits: number; resetTime: undefined }) => void) | undefined;
    const store = storeWith(() => new Promise(resolve => (answer = resolve)));
    const errors: unknown[] = [];
    const stalled = application('express4', [
      rateLimit({ store, storeTimeout: 20, logger: quiet }) as unknown as Handler,
      (_req, res) => res.end('ok'),
      errorHandler((error, _req, res, _next) => {
        errors.push(error);
        res.statusCode = (error as { status: number }).status;
        res.end();
      }),
    ]);
    assert.equal((await ask(stalled)).status, 503);
    const [error] = errors as (Error & { code: string })[];
    assert.equal(error!.code, 'ESTORETIMEOUT');
    assert.match(error!.message, /rate-limit store has not responded within 20 ms \(option storeTimeout\)/);
    // A response that comes too late is ignored, and neither counts nor calls a handler again.
    answer!({ totalHits: 1, resetTime: undefined });
    await new Promise(setImmediate);
    assert.equal(errors.length, 1);
    assert.equal((await ask(app({ store, storeTimeout: 20, passOnStoreError: true }))).text, 'ok');
  });

  test('rate-limit: a store that rejects after storeTimeout does not end the process', async () => {
    let fail: ((error: Error) => void) | undefined;
    const store = storeWith(() => new Promise((_resolve, reject) => (fail = reject)));
    assert.equal((await ask(app({ store, storeTimeout: 20 }))).status, 500);
    fail!(new Error('late'));
    await new Promise(setImmediate);
  });

  test('rate-limit: storeTimeout 0 waits without limit, and invalid durations throw', async () => {
    const store = storeWith(async () => {
      await new Promise(setImmediate);
      return { totalHits: 1, resetTime: undefined };
    });
    for (const storeTimeout of [0, '5s']) assert.equal((await ask(app({ store, storeTimeout }))).text, 'ok');
    for (const storeTimeout of ['1 dayz', '5', -1, NaN, 2 ** 31] as number[])
      assert.throws(
        () => app({ storeTimeout }),
        /storeTimeout of rateLimit\(\).*, got (?:'1 dayz'|'5': add a unit, .*|-1|NaN|2147483648)$/,
      );
  });

  test('rate-limit: a store that returns nothing is an error that says what it must return', async () => {
    const answer = await ask(app({ store: storeWith(() => null as never) }));
    assert.match(answer.text, /expected increment\(\) of the store to return .*, got null/);
  });

  test('rate-limit: a store that fails to start or to undo a count does not end the process', async () => {
    const logged: string[] = [];
    const store = storeWith(() => ({ totalHits: 1, resetTime: undefined }), {
      init: () => Promise.reject(new Error('of init')),
      decrement: () => Promise.reject(new Error('of decrement')),
    });
    const logger = { ...quiet, error: (error: unknown) => void logged.push(String(error)) };
    await ask(app({ store, logger, skipSuccessfulRequests: true, validate: false }));
    await new Promise(setImmediate);
    assert.deepEqual(logged, ['Error: of init', 'Error: of decrement']);
  });

  test('rate-limit: a request whose client disconnects does not count with skipFailedRequests', async () => {
    const taken: string[] = [];
    const store = storeWith(() => ({ totalHits: 1, resetTime: undefined }), {
      decrement: key => void taken.push(key),
    });
    const limiter = rateLimit({ store, skipFailedRequests: true, validate: false }) as unknown as Handler;
    const res = Object.assign(new EventEmitter(), {
      setHeader: () => res,
      writableEnded: false,
      statusCode: 200,
    });
    limiter({ ip: '192.0.2.1', headers: {} } as never, res as never, () => undefined);
    res.emit('close');
    await new Promise(setImmediate);
    res.emit('error', new Error());
    await new Promise(setImmediate);
    assert.deepEqual(taken, ['192.0.2.1']);
  });

  test('rate-limit: a request of the previous window is not subtracted from the next one', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    const store = new MemoryStore();
    const limiter = rateLimit({
      store,
      windowMs: 1000,
      skipFailedRequests: true,
      validate: false,
    }) as unknown as Handler;
    const start = () => {
      const res = Object.assign(new EventEmitter(), {
        setHeader: () => res,
        writableEnded: false,
        statusCode: 200,
      });
      limiter({ ip: '192.0.2.1', headers: {} } as never, res as never, () => undefined);
      return res;
    };
    const slow = start();
    mock.timers.tick(1500);
    start();
    slow.emit('close');
    await new Promise(setImmediate);
    assert.equal((await store.get('192.0.2.1'))?.totalHits, 1);
    mock.timers.reset();
    store.shutdown();
  });

  test('rate-limit: clients that send no requests are discarded after two windows', () => {
    const store = new MemoryStore();
    store.init({ windowMs: 60_000 } as Options);
    void store.increment('a');
    const clear = (store as unknown as { clearExpired(): void }).clearExpired.bind(store);
    clear();
    assert.equal(store.previous.size, 1);
    clear();
    assert.equal(store.previous.size + store.current.size, 0);
    store.shutdown();
  });

  test('rate-limit: mistakes are logged with the codes of the original', () => {
    const codes: string[] = [];
    const log = (error: unknown) => void codes.push((error as { code: string }).code);
    rateLimit({
      windowMs: 2 ** 32,
      keyGenerator: req => req.ip!,
      logger: { error: log, warn: log },
      typo: 1,
    } as Partial<Options>);
    assert.deepEqual(codes, ['ERR_ERL_UNKNOWN_OPTION', 'ERR_ERL_KEY_GEN_IPV6', 'ERR_ERL_WINDOW_MS']);
  });

  test('rate-limit: requests behind a proxy that the settings do not name are logged with the codes of the original', async () => {
    const cases: [setting: unknown, headers: Record<string, string>][] = [
      [true, { 'X-Forwarded-For': '192.0.2.1' }],
      [false, { 'X-Forwarded-For': '192.0.2.1' }],
      [false, { Forwarded: 'for=192.0.2.1' }],
      [1, { 'X-Forwarded-For': 'unknown' }],
    ];
    for (const [setting, headers] of cases) {
      const [ours, theirs] = await Promise.all(
        [rateLimit, original.rateLimit].map(async create => {
          const codes: string[] = [];
          const log = (error: unknown) => void codes.push((error as { code: string }).code);
          const limiter = create({ logger: { error: log, warn: log } }) as unknown as Handler;
          const server = application('express4', [limiter, (_req, res) => res.end()], {
            'trust proxy': setting,
          });
          await ask(server, { headers });
          return codes;
        }),
      );
      assert.deepEqual(ours, theirs);
      assert.equal(ours!.length, 1);
    }
  });

  test('rate-limit: partition keys of many clients, and of long keys, match the original', async () => {
    const headersFrom = async (create: typeof rateLimit) => {
      const limiter = create({ standardHeaders: 'draft-8', validate: false, keyGenerator: req => req.url });
      const found: string[] = [];
      for (let count = 0; count < 1005; count++) {
        const headers = new Map<string, unknown>();
        const res = {
          getHeader: (name: string) => headers.get(name),
          setHeader: (name: string, value: unknown) => headers.set(name, value),
          append: (name: string, value: unknown) => headers.set(name, value),
        };
        const url = `/${count === 0 ? 'x'.repeat(200) : count}`;
        await limiter({ url, headers: {} } as never, res as never, () => undefined);
        found.push(String(headers.get('RateLimit-Policy')));
      }
      return found;
    };
    assert.deepEqual(
      await headersFrom(rateLimit),
      await headersFrom(original.rateLimit as unknown as typeof rateLimit),
    );
  });

  test('rate-limit: each of three limiters adds its policy', async () => {
    const limiters = ['a', 'b', 'c'].map(
      identifier =>
        rateLimit({ identifier, standardHeaders: 'draft-8', validate: false }) as unknown as Handler,
    );
    const answer = await ask(application('http', [...limiters, (_req, res) => res.end()]));
    const policies = answer.rawHeaders.filter(([name]) => /^ratelimit-policy$/i.test(name));
    assert.deepEqual(
      policies.map(([, value]) => value.split(';')[0]),
      ['"a"', '"b"', '"c"'],
    );
  });

  test('rate-limit: a client of the last window keeps its count when it returns after a cleanup', async () => {
    const store = new MemoryStore();
    store.init({ windowMs: 60_000 } as Options);
    store.init({ windowMs: 60_000 } as Options);
    const clear = (store as unknown as { clearExpired(): void }).clearExpired.bind(store);
    await store.increment('a');
    clear();
    assert.equal((await store.increment('a')).totalHits, 2);
    assert.deepEqual([store.previous.size, store.current.size], [0, 1]);
    store.shutdown();
  });

  test('rate-limit: a logger without its functions, and an old store that calls back with an error, are errors', async () => {
    assert.throws(() => rateLimit({ logger: {} as never }), /logger/);
    const failure = new Error('down');
    const store = {
      incr: (_key: string, callback: (error: Error) => void) => callback(failure),
      decrement: () => undefined,
      resetKey: () => undefined,
    };
    assert.equal((await ask(app({ store: store as never }))).text, 'Error: down');
  });

  test('rate-limit: a limiter created during a request is logged on every framework', async () => {
    for (const name of ['express4', 'express5', 'ristretto', 'ristretto5'] as const) {
      const codes: string[] = [];
      const log = (error: unknown) => void codes.push((error as { code: string }).code);
      const creating: Handler = (_req, res) => {
        rateLimit({ logger: { error: log, warn: log } });
        res.end();
      };
      await ask(application(name, [creating]));
      assert.deepEqual(codes, ['ERR_ERL_CREATED_IN_REQUEST_HANDLER'], name);
    }
  });

  test('rate-limit: a client that disconnects while the store counts is a failed request, over HTTP/1.1 and HTTP/2', async () => {
    for (const version of [1, 2]) {
      const events = new EventEmitter();
      const [counting, decremented] = [once(events, 'counting'), once(events, 'decremented')];
      const increment = async () => {
        events.emit('counting');
        await once(events, 'closed');
        return { totalHits: 1, resetTime: new Date(Date.now() + 60_000) };
      };
      const store = storeWith(increment, { decrement: key => void events.emit('decremented', key) });
      const limiter = rateLimit({
        store,
        skipFailedRequests: true,
        validate: false,
        keyGenerator: () => 'key',
      });
      const listener = (req: unknown, res: EventEmitter) => {
        res.once('close', () => events.emit('closed'));
        void limiter(req as never, res as never, () => undefined);
      };
      const server = version === 1 ? http.createServer(listener) : http2.createServer(listener);
      const port = await portOf(server.listen(0, '127.0.0.1'));
      if (version === 1) {
        const req = http.get({ port, host: '127.0.0.1' }).on('error', () => undefined);
        await counting;
        req.destroy();
      } else {
        const client = http2.connect(`http://127.0.0.1:${port}`);
        client.request({ ':path': '/' }).on('error', () => undefined);
        await counting;
        client.destroy();
      }
      assert.deepEqual(await decremented, ['key']);
      server.close();
    }
  });

  test('rate-limit: the reset date of a request does not change when the next window begins', async t => {
    t.mock.timers.enable({ apis: ['Date'], now: 1000 });
    const store = new MemoryStore();
    store.windowMs = 50;
    const { resetTime } = await store.increment('a');
    t.mock.timers.tick(60);
    const next = await store.increment('a');
    assert.deepEqual([resetTime!.getTime(), next.resetTime!.getTime()], [1050, 1110]);
  });
});
