// runs: slow
/** cors is the reference: generated options and requests give the same headers and responses. */
import { isDeepStrictEqual } from 'node:util';
import theirs from 'cors';
import ours from '@ristretto/cors';
import { differentialTest } from '../../test-support/differential.js';
import type { Observed, Random } from '../../test-support/differential.js';

/** JSON, with objects that have the key `$` for values it cannot represent. */
type Value = unknown;

const ORIGINS = ['https://a.test', 'https://b.test', 'http://a.test:8080', 'null', 'https://evil.test'];

function staticOrigin(random: Random): Value {
  return random.weighted<Value>([
    [3, () => random.pick([...ORIGINS, '*', ''])],
    [2, () => ({ $: 'regexp', text: random.pick(['\\.test$', '^https://a', '^null$', 'undefined']) })],
    [
      2,
      () => random.many(0, 3, () => (random.chance(0.2) ? random.pick([true, false]) : staticOrigin(random))),
    ],
    [1, () => true],
    [1, () => false],
    [0.3, () => random.pick([null, 0, 5, {}])],
    [0.3, () => ({ $: 'undefined' })],
  ]);
}

function origin(random: Random): Value {
  if (random.chance(0.75)) return staticOrigin(random);
  return {
    $: random.pick(['passes', 'passes', 'passesLater', 'echoes', 'fails', 'failsLater', 'throws']),
    value: staticOrigin(random),
  };
}

function list(random: Random, names: string[]): Value {
  return random.weighted<Value>([
    [3, () => random.many(0, 3, () => random.pick(names))],
    [3, () => random.many(1, 3, () => random.pick(names)).join(random.pick([',', ', ']))],
    [0.5, () => ''],
    [0.3, () => false],
  ]);
}

function corsOptions(random: Random): Record<string, Value> {
  const result: Record<string, Value> = {};
  if (random.chance(0.7)) result.origin = origin(random);
  if (random.chance(0.3)) result.methods = list(random, ['GET', 'PUT', 'DELETE', 'x']);
  if (random.chance(0.3)) result.allowedHeaders = list(random, ['X-A', 'Content-Type', '*']);
  if (random.chance(0.1)) result.headers = list(random, ['X-B', 'Authorization']);
  if (random.chance(0.3)) result.exposedHeaders = list(random, ['X-C', 'X-D', '*']);
  if (random.chance(0.4)) result.credentials = random.pick([true, true, false, 1, 'true', null]);
  if (random.chance(0.3)) result.maxAge = random.pick([0, 600, '600', 1.5, null, '', true, -1]);
  if (random.chance(0.2)) result.preflightContinue = random.pick([true, true, false, 1]);
  if (random.chance(0.2)) result.optionsSuccessStatus = random.pick([200, 204, 202]);
  return result;
}

interface Options {
  /** How the options are passed: to the function, or by a function for each request. */
  how: 'given' | 'none' | 'delegate' | 'delegateLater' | 'delegateFails';
  options: Value;
  /** What `Vary` is before. */
  vary: string | string[] | null;
}

/** Returns the value that an object with the key `$` represents. */
function revive(given: Value): Value {
  if (Array.isArray(given)) return given.map(revive);
  if (given === null || typeof given !== 'object') return given;
  const { $, text = '', value } = given as { $?: string; text?: string; value?: Value };
  type Callback = (error: Error | null, origin?: Value) => void;
  const makers: Record<string, () => Value> = {
    undefined: () => undefined,
    regexp: () => new RegExp(text),
    passes: () => (_origin: unknown, callback: Callback) => callback(null, revive(value)),
    passesLater: () => (_origin: unknown, callback: Callback) =>
      setImmediate(() => callback(null, revive(value))),
    echoes: () => (requested: unknown, callback: Callback) => callback(null, requested),
    fails: () => (_origin: unknown, callback: Callback) => callback(new Error('of origin'), true),
    failsLater: () => (_origin: unknown, callback: Callback) =>
      setImmediate(() => callback(new Error('of origin'))),
    throws: () => () => {
      throw new Error('thrown by origin');
    },
  };
  if ($ !== undefined) return makers[$]!();
  return Object.fromEntries(Object.entries(given).map(([key, each]) => [key, revive(each)]));
}

/** The header as received, and as the handler after the middleware saw it. */
const VARY = /^vary: (.*)$/i;
const SEEN = /"vary":(?:"([^"]*)"|\[[^\]]*\]),?/;

function namesOrigin({ headers }: Observed): boolean {
  return headers.some(header => /\b(?:origin)\b|\*/i.test(VARY.exec(header)?.[1] ?? ''));
}

/** Where a function chooses, ours names the origin in `Vary` if theirs does not. */
function withoutOrigin(observed: Observed): Observed {
  return {
    ...observed,
    headers: observed.headers.filter(header => !VARY.test(header)),
    trace: observed.trace.map(line => line.replace(SEEN, '').replace(',}', '}')),
  };
}

differentialTest<typeof theirs, Options>({
  name: 'cors',
  original: theirs,
  ours,
  generate: random => ({
    options: {
      how: random.pick([
        'given',
        'given',
        'given',
        'given',
        'none',
        'delegate',
        'delegateLater',
        'delegateFails',
      ]),
      options: corsOptions(random),
      vary: random.pick([
        null,
        null,
        null,
        'Accept',
        'origin',
        '*',
        'Accept, *',
        ['A', 'B'],
        ' Origin ,x',
        '',
      ]),
    },
    requests: random.many(1, 4, () => {
      const headers: [string, string][] = [];
      if (random.chance(0.8)) headers.push(['Origin', random.pick(ORIGINS)]);
      if (random.chance(0.6)) headers.push(['Access-Control-Request-Method', 'PUT']);
      if (random.chance(0.6))
        headers.push(['Access-Control-Request-Headers', random.pick(['x-a', 'x-a, x-b', '', '*'])]);
      return { method: random.pick(['GET', 'OPTIONS', 'OPTIONS', 'POST', 'HEAD']), target: '/', headers };
    }),
  }),
  isAccepted: (original, mine, { options: { how, options } }) =>
    (how.startsWith('delegate') || typeof (options as { origin?: unknown }).origin === 'object') &&
    namesOrigin(mine) &&
    isDeepStrictEqual(withoutOrigin(original), withoutOrigin(mine)),
  build(middleware, { how, options, vary }, trace) {
    const given = revive(options) as never;
    const make = (): ReturnType<typeof theirs> => {
      if (how === 'none') return middleware();
      if (how === 'given') return middleware(given);
      return middleware((_req, callback) => {
        trace.push('asked for options');
        if (how === 'delegate') callback(null, given);
        else if (how === 'delegateFails') callback(new Error('of options'), given);
        else
          setImmediate(() => {
            // Nobody catches what is thrown here.
            try {
              callback(null, given);
            } catch (error) {
              callback(error as Error);
            }
          });
      });
    };
    return [
      (_req, res, next) => {
        if (vary !== null) res.setHeader('Vary', vary);
        next();
      },
      make() as never,
      (_req, res) => {
        trace.push(JSON.stringify(res.getHeaders()));
        res.end('ok');
      },
    ];
  },
});
