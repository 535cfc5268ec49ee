/**
 * Compares a middleware with its original: the same generated options and requests on the same frameworks, comparing
 * everything that a client, the application and the console observe.
 *
 *     DIFFERENTIAL_CASES=20000 DIFFERENTIAL_SEED=7 npm run test:only -- helmet.differential
 *     DIFFERENTIAL_ON=express3,ristretto3 npm run test:only -- helmet.differential
 */
import './environment.js';
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import net from 'node:net';
import { after, test } from 'node:test';
import { format, isDeepStrictEqual } from 'node:util';
import type { Ask } from '../../../proofs/differential/description.js';
import { Random } from '../../engine/test/support/random.js';
import { shrink } from '../../../proofs/differential/shrink.js';
import { Wire } from '../../../proofs/differential/wire.js';
import { application, errorHandler, FRAMEWORKS } from './frameworks.js';
import type { FrameworkName, Handler } from './frameworks.js';

export type { Ask, Random };
export { errorHandler };
export type { FrameworkName, Handler };

/**
 * Options of the middleware and requests, as data that JSON can represent, so that a case can be printed and shrunk.
 */
export interface Case<Options> {
  options: Options;
  requests: Ask[];
}

/** A middleware and its original. */
export interface Subject<Middleware, Options> {
  name: string;
  original: Middleware;
  ours: Middleware;
  /** @default FRAMEWORKS */
  on?: readonly FrameworkName[];
  /** Settings of each application, such as `trust proxy`. */
  settings?: Record<string, unknown>;
  /** Milliseconds that a request may take while the process has nothing else to do. @default 3000 */
  patience?: number;
  generate(random: Random): Case<Options>;
  /**
   * Returns the handlers of an application. Anything they push to `trace` is compared too, as is the error if this
   * function throws.
   */
  build(middleware: Middleware, options: Options, trace: string[]): Handler[];
  /** Normalizes the observations of one side before they are compared: removes ids, times and stacks. */
  normalize?(observed: Observed): Observed;
  /** Whether a difference has a reason, which the Readme of the package states. */
  isAccepted?(original: Observed, ours: Observed, one: Case<Options>): boolean;
}

/** The observations of one request, or of the creation of the application (`state` is then `created` or `thrown`). */
export interface Observed {
  state: string;
  status: string;
  /** Headers as received, in order. */
  headers: string[];
  body: string;
  /** What handlers recorded, the events `finish` and `close` of the response, and the lines printed on the console. */
  trace: string[];
}

interface Difference {
  framework: FrameworkName;
  request?: Ask | undefined;
  original: Observed;
  ours: Observed;
}

/** The number of cases unless the environment variable DIFFERENTIAL_CASES sets another, as each night, with another seed. */
const CASES = 500;

/** The `patience` of a subject that does not set one: the thread pool of a busy machine may take long. */
const PATIENCE = 3000;

/** The application that the next connections belong to. */
let current: http.Server | undefined;

/** Accepts the connections of all applications, which saves opening a port for each. */
const front = net.createServer({ noDelay: true }, socket => current!.emit('connection', socket));

async function portOf(server: http.Server): Promise<number> {
  current = server;
  if (!front.listening) await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve));
  return (front.address() as net.AddressInfo).port;
}

/** The number of the request of a case in which code runs. Where middleware calls `next`, it is compared. */
export const requestNumber = new AsyncLocalStorage<number>();

/** Runs a case on one framework with one of the two; returns the observations of the creation and of each request. */
async function observe<Middleware, Options>(
  subject: Subject<Middleware, Options>,
  middleware: Middleware,
  framework: FrameworkName,
  { options, requests }: Case<Options>,
): Promise<Observed[]> {
  const log: string[] = [];
  const { warn, error: logError } = console;
  console.warn = (...args: unknown[]) => void log.push(`warn ${format(...args)}`);
  console.error = (...args: unknown[]) => {
    const line = format(...args);
    // Node.js itself prints these warnings.
    if (!line.startsWith('(node:')) log.push(`error ${line}`);
  };
  const normalize = (observed: Observed) => subject.normalize?.(observed) ?? observed;
  const creation = (state: string) =>
    normalize({ state, status: '', headers: [], body: '', trace: log.splice(0) });
  try {
    let handlers: Handler[];
    try {
      handlers = subject.build(middleware, structuredClone(options), log);
    } catch (error) {
      return [creation(`thrown ${String(error)}`)];
    }
    const seen = [creation('created')];
    let open = 0;
    let count = 0;
    const inContext = (event: string) => void log.push(`${event} in ${requestNumber.getStore()}`);
    const begin: Handler = (_req, res, next) => {
      open++;
      res.on('finish', () => inContext('finish'));
      res.on('close', () => {
        open--;
        inContext('close');
      });
      requestNumber.run(++count, next);
    };
    const between: Handler = (_req, _res, next) => {
      inContext('next');
      next();
    };
    const reports = errorHandler((error, _req, res, _next) => {
      const { status } = Object(error) as { status?: unknown };
      inContext(`next ${String(error)} ${String(status)}`);
      if (res.headersSent) return void res.end();
      res.statusCode = typeof status === 'number' ? status : 500;
      res.end(`failed: ${String(error)}`);
    });
    const all = [begin, ...handlers.flatMap(handler => [handler, between]), reports];
    // The application is the only listener, as in most programs: Ristretto then creates its own messages.
    const server = http.createServer(application(framework, all, subject.settings));
    const wire = new Wire(await portOf(server), subject.patience ?? PATIENCE);
    for (const request of requests) {
      const { state, status, fields, body } = await wire.ask(request);
      const deadline = performance.now() + PATIENCE;
      // `close` follows the response after a few turns of the event loop.
      while (open > 0 && performance.now() < deadline) await new Promise(setImmediate);
      // Listeners of `finish` and `close` run after these, possibly with promises.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      const headers = fields.map(([name, value]) => (/^date$/i.test(name) ? name : `${name}: ${value}`));
      seen.push(normalize({ state, status, headers, body, trace: log.splice(0) }));
    }
    wire.close();
    server.closeAllConnections();
    return seen;
  } finally {
    console.warn = warn;
    console.error = logError;
  }
}

async function compare<Middleware, Options>(
  subject: Subject<Middleware, Options>,
  framework: FrameworkName,
  one: Case<Options>,
): Promise<Difference | undefined> {
  const original = await observe(subject, subject.original, framework, one);
  const ours = await observe(subject, subject.ours, framework, one);
  const most = Math.max(original.length, ours.length);
  for (let index = 0; index < most; index++) {
    const pair = { original: original[index]!, ours: ours[index]! };
    if (isDeepStrictEqual(pair.original, pair.ours)) continue;
    if (subject.isAccepted?.(pair.original, pair.ours, one)) return undefined;
    return { framework, request: one.requests[index - 1], ...pair };
  }
  return undefined;
}

/**
 * Registers the test that compares generated cases, each on one framework after the other in turn.
 */
export function differentialTest<Middleware, Options>(subject: Subject<Middleware, Options>): void {
  const cases = Number(process.env.DIFFERENTIAL_CASES ?? CASES);
  const seed = Number(process.env.DIFFERENTIAL_SEED ?? 20_261_123);
  const wanted = process.env.DIFFERENTIAL_ON?.split(',') as FrameworkName[] | undefined;
  const on = wanted ?? subject.on ?? FRAMEWORKS;
  after(() => void front.close());
  void test(`${subject.name}: does what the original does, for generated options and requests`, async t => {
    const seeds = new Random(seed);
    let requests = 0;
    for (let index = 0; index < cases; index++) {
      const one = subject.generate(new Random(seeds.seed()));
      const framework = on[index % on.length]!;
      requests += one.requests.length;
      const difference = await compare(subject, framework, one);
      if (difference === undefined) continue;
      const smaller = await shrink(one, async other => !!(await compare(subject, framework, other)));
      const found = (await compare(subject, framework, smaller)) ?? difference;
      const { original, ours, request } = found;
      const where = `case ${index} on ${framework}: ${JSON.stringify(smaller)}, seen at ${JSON.stringify(request)}`;
      assert.deepEqual(ours, original, where);
    }
    t.diagnostic(`seed ${seed}: ${cases} cases, ${requests} requests on ${on.join(', ')}`);
  });
}
