// runs: each
/** Light exchanges, and how functions of Node are told from wrappers. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import http, { ServerResponse } from 'node:http';
import { describe, it, mock, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { areNative } from '@ristretto/private-engine/lib/serving/node-internals';
import web from 'ristretto';
import { generate, handlers, run } from '../support/light-programs.js';
import type { Program, Step } from '../support/light-programs.js';
import { Random } from '../support/random.js';

const CASES = Number(process.env.LIGHT_CASES ?? 200);
const SEED = Number(process.env.LIGHT_SEED ?? 1);

async function same(program: Program): Promise<void> {
  const native = await run(web, program, false);
  assert.deepEqual(await run(web, program, true), native, JSON.stringify(program));
}

const step = (rest: Partial<Step>): Step => ({
  method: 'GET',
  handler: 'json',
  waits: 'no',
  body: 'none',
  listens: false,
  ...rest,
});

/** Light exchanges: everything that both messages, their connection and the client observe is as with Node's own. */
describe('light exchanges beside Node’s own', () => {
  for (const handler of Object.keys(handlers)) {
    test(`handler '${handler}': has the same properties, events and bytes, also for the next request`, async () => {
      for (const rest of [
        {},
        { listens: true },
        { waits: 'timer' },
        { method: 'POST', body: 'length' },
      ] as const) {
        // The client aborts as soon as the handler has been called.
        if (handler === 'never' && 'waits' in rest) continue;
        const steps = [
          step({ handler, ...rest }),
          ...(handler === 'never' ? [] : [step({ handler: 'end' })]),
        ];
        await same({ steps, isPipelined: false, cuts: [], ends: handler === 'never' ? 'resets' : 'waits' });
      }
    });
  }

  test('pipelined in one chunk: each response has finished when Node says so', async () => {
    const steps = ['endCallbackLate', 'endCallbackLate', 'endCallbackLate'].map(handler => step({ handler }));
    await same({ steps, isPipelined: true, cuts: [], ends: 'waits' });
  });

  test(`generated: ${CASES} sequences of requests are the same`, async () => {
    const random = new Random(SEED);
    for (let at = 0; at < CASES; at++) await same(generate(random));
  });
});

describe('idle connections', () => {
  for (const { title, method, path } of [
    { title: 'a response at once', method: 'GET', path: '/now' },
    { title: 'a response after a timer', method: 'GET', path: '/later' },
    { title: 'a body that has been parsed', method: 'POST', path: '/parsed' },
    { title: 'a body that nobody has read', method: 'POST', path: '/now' },
  ]) {
    test(`${title}: the connection keeps neither request nor response`, async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const messages: WeakRef<object>[] = [];
      const app = web();
      app.use((req, res, next) => {
        messages.push(new WeakRef(req), new WeakRef(res));
        next();
      });
      app.use('/parsed', web.json());
      app.use('/later', (_req, _res, next) => void setTimeout(1).then(() => next()));
      app.use((_req, res) => void res.json({ a: 1 }));
      const server = app.listen(0);
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (): Promise<void> =>
        new Promise((resolve, reject) => {
          const { port } = server.address() as { port: number };
          const headers =
            method === 'POST' ? { 'Content-Type': 'application/json', 'Content-Length': 7 } : {};
          const req = http.request({ port, path, method, agent, headers }, res => {
            res.on('end', resolve).resume();
          });
          req.on('error', reject).end(method === 'POST' ? '{"b":2}' : undefined);
        });
      try {
        // The first request of a connection may be Node's own.
        for (let i = 0; i < 3; i++) await ask();
        for (let i = 0; i < 50 && messages.some(each => each.deref() !== undefined); i++) {
          await setTimeout(10);
          collect();
        }
        const kept = messages.flatMap((each, i) => (each.deref() === undefined ? [] : [i]));
        assert.deepEqual(kept, []);
        assert.equal(Object.values(agent.freeSockets).flat().length, 1, 'the connection is still open');
      } finally {
        agent.destroy();
        server.close();
      }
    });
  }
});
const { end } = ServerResponse.prototype as unknown as { end(...args: unknown[]): unknown };
const isNative = (fn: unknown, word: string): boolean => areNative({ fn }, { fn: word });

const wrappers: Record<string, [fn: unknown, word: string]> = {
  'a wrapper that mentions _implicitHeader': [
    function (this: unknown, ...args: unknown[]) {
      void '_implicitHeader';
      return end.apply(this, args);
    },
    '_implicitHeader',
  ],
  'a wrapper that reads a property first': [
    function (this: { finished: boolean }, ...args: unknown[]) {
      return this.finished ? undefined : end.apply(this, args);
    },
    'finished',
  ],
  'a function that reads nothing': [() => 'read', 'read'],
  'a bound function': [end.bind({}), 'native code'],
  'a proxy with a handler for calls': [
    new Proxy(end, { apply: (target, self, args) => target.apply(self, args) }),
    'native code',
  ],
  'a function patched by mock.method, which is a module of Node': [
    mock.method({ end }, 'end', end),
    'native code',
  ],
  undefined: [undefined, ''],
};

/** Node's own functions are distinguished from wrappers by what runs, not by their source. */
describe('recognizing Node’s functions', () => {
  test('res.end is recognized', () => {
    assert.equal(isNative(end, '_implicitHeader'), true);
  });

  for (const [name, [fn, word]] of Object.entries(wrappers)) {
    test(`${name} is not taken for Node’s own`, () => {
      assert.equal(isNative(fn, word), false);
    });
  }

  test('the settings of stack traces are the same afterwards', () => {
    const before = Object.getOwnPropertyDescriptors(Error);
    isNative(end, '_implicitHeader');
    assert.deepEqual(Object.getOwnPropertyDescriptors(Error), before);
  });
});

/** Collects garbage while no tick is queued; prints whether ticks still have the hidden class of an earlier one. */
const program = (start: string): string => `
  const { createHook } = require('node:async_hooks');
  const { setTimeout } = require('node:timers/promises');
  const earlier = [];
  let newest;
  const hook = createHook({
    init(id, type, trigger, resource) {
      if (type !== 'TickObject') return;
      earlier.push(new WeakRef(resource));
      newest = resource;
    },
  });
  hook.enable();
  process.nextTick(() => {});
  ${start}
  (async () => {
    newest = undefined;
    for (let round = 0; round < 6; round++) {
      await setTimeout(1);
      gc();
    }
    process.nextTick(() => {});
    const kept = earlier.slice(0, -1).map(ref => ref.deref()).filter(tick => tick !== undefined);
    console.log(kept.some(tick => %HaveSameMap(tick, newest)));
  })();`;

const keepsTicks = (start: string): boolean => {
  const flags = ['--expose-gc', '--allow-natives-syntax', '-e', program(start)];
  const env = { ...process.env, NODE_OPTIONS: '' };
  return JSON.parse(
    execFileSync(process.execPath, flags, { cwd: __dirname, env, encoding: 'utf8' }),
  ) as boolean;
};

/** Holding one queued tick makes V8 retain the hidden class for which it has compiled `process.nextTick`. */
describe('serving/keep-tick', () => {
  it('garbage collection while nothing is queued: the next ticks have the same hidden class', () => {
    assert.equal(keepsTicks("require('ristretto');"), true);
    assert.equal(keepsTicks(''), false);
  });
});
