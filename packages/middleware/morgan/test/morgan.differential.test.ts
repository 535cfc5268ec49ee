// runs: slow
/** morgan is the reference: generated formats, options and requests give the same bytes. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mock } from 'node:test';
import theirs from 'morgan';
import ours from '@ristretto/morgan';
import { differentialTest } from '../../test-support/differential.js';
import type { Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

interface Options {
  format: string;
  /** How the format is passed: as it is, as a compiled function, or as one that returns something else. */
  kind: 'text' | 'compiled' | 'function' | 'undefined' | 'object';
  stream: 'own' | 'objects' | 'stdout';
  immediate: boolean;
  skip: boolean;
  /** How many loggers there are. */
  count: number;
  answer: 'end' | 'pieces' | 'writeHead' | 'throws' | 'empty' | 'later' | 'headers';
  status: number;
}

const TOKENS = [
  ...words(`:method :url :status :response-time :response-time[0] :response-time[6] :total-time :total-time[1]
    :date :date[clf] :date[iso] :date[web] :date[other] :referrer :remote-addr :remote-user
    :http-version :user-agent :req[host] :req[X-Odd] :req[none] :res[content-length] :res[X-Set]
    :res[Content-Type] :custom`),
  ':custom[a b]',
  ':store',
  ':start',
];
const TEXTS = [' ', ' - ', '"', '\\', '\n', ':', '[]', '::', '${x}', 'é', ':a', '%s'];

function format(random: Random): string {
  if (random.chance(0.4))
    return random.pick(['combined', 'common', 'default', 'short', 'tiny', 'dev', 'own']);
  return random.many(1, 8, () => random.pick(random.chance(0.7) ? TOKENS : TEXTS)).join('');
}

const HEADERS: [string, string[]][] = [
  ['User-Agent', ['curl/8', 'a"b\\c', 'x\u0085y', 'é', '']],
  ['Referer', ['https://a.test/', '"quoted"']],
  ['Referrer', ['https://b.test/']],
  ['Authorization', ['YTpi', 'YQpiOmM=', 'Og==', 'G1szMW06eA==', 'w6k6eA=='].map(text => `Basic ${text}`)],
  ['Authorization', ['Bearer x', 'basic  YTpi', 'Basic', 'Basic ?']],
  ['X-Odd', ['a\tb', 'x']],
  ['X-Forwarded-For', ['192.0.2.1', '2001:db8::1']],
];

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const storage = new AsyncLocalStorage<string>();
/** Nanoseconds of the clock that the loggers read. */
let clock = 0;
const real = process.hrtime;
const write = process.stdout.write.bind(process.stdout);

function frozen(before?: [number, number]): [number, number] {
  const total = BigInt(clock) - (before ? BigInt(before[0]) * 1_000_000_000n + BigInt(before[1]) : 0n);
  return [Number(total / 1_000_000_000n), Number(total % 1_000_000_000n)];
}

differentialTest<typeof theirs, Options>({
  name: 'morgan',
  original: theirs,
  ours,
  settings: { 'trust proxy': 1 },
  generate: random => ({
    options: {
      format: format(random),
      kind: random.pick(['text', 'text', 'text', 'text', 'compiled', 'function', 'undefined', 'object']),
      stream: random.pick(['own', 'own', 'stdout', 'stdout', 'objects']),
      immediate: random.chance(0.15),
      skip: random.chance(0.2),
      count: random.chance(0.15) ? 2 : 1,
      answer: random.pick(['end', 'pieces', 'writeHead', 'throws', 'empty', 'later', 'headers']),
      status: random.pick([200, 200, 201, 204, 302, 304, 404, 500]),
    },
    requests: random.many(1, 3, () => ({
      method: random.pick(['GET', 'GET', 'POST', 'HEAD', 'OPTIONS']),
      target: random.pick(['/', '/a?b=c', '/%22', '/a"b', '/é', '/x/../y']),
      headers: HEADERS.filter(() => random.chance(0.4)).map(([name, values]): [string, string] => [
        name,
        random.pick(values),
      ]),
    })),
  }),
  build(morgan, options, trace) {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: NOW });
    clock = 5_123_456_789;
    process.hrtime = Object.assign(frozen, { bigint: real.bigint });
    process.stdout.write = ((text: string, ...rest: never[]) => {
      // The test runner writes bytes.
      if (typeof text !== 'string' || !text.includes('~')) return write(text, ...rest);
      trace.push(`stdout ${text}`);
      return true;
    }) as typeof process.stdout.write;
    morgan.token('custom', (_req, _res, arg) =>
      arg === undefined ? 'cus"tom\\\u0007' : `custom ${String(arg)}`,
    );
    morgan.token('store', () => storage.getStore());
    morgan.token('start', req => JSON.stringify((req as unknown as { _startAt: unknown })._startAt));
    morgan.format('own', '~:method :store');
    const named = /^\w+$/.test(options.format) ? options.format : `~${options.format}`;
    const given = (): never => {
      if (options.kind === 'compiled') return morgan.compile(`~${options.format}`) as never;
      if (options.kind === 'function')
        return ((tokens: Record<string, (...args: unknown[]) => string>, req: unknown, res: unknown) =>
          `~${tokens.method!(req, res)} ${tokens.status!(req, res)} ${tokens['response-time']!(req, res)}`) as never;
      if (options.kind === 'undefined') return (() => undefined) as never;
      if (options.kind === 'object')
        return ((_tokens: unknown, req: { method: string }) => ({ method: req.method })) as never;
      // Predefined formats cannot be recognized on the standard output.
      return (
        options.stream === 'stdout' && named === options.format ? `~${options.format}` : named
      ) as never;
    };
    const stream = {
      writableObjectMode: options.stream === 'objects',
      write: (line: unknown) =>
        void trace.push(`${typeof line} ${JSON.stringify(line)} in ${storage.getStore() ?? 'none'}`),
    };
    const logger = () =>
      morgan(given(), {
        ...(options.stream === 'stdout' ? {} : { stream }),
        immediate: options.immediate,
        ...(options.skip ? { skip: (_req, res) => res.statusCode >= 400 } : {}),
      });
    let requests = 0;
    return [
      (_req, _res, next) => storage.run(`request ${++requests}`, () => next()),
      ...Array.from({ length: options.count }, logger),
      (req, res) => {
        trace.push(
          Object.keys(req)
            .filter(key => key.startsWith('_start') || key === '_remoteAddress')
            .join(),
        );
        clock += 1_234_567;
        res.statusCode = options.status;
        res.setHeader('X-Set', ['a', 'b"']);
        if (options.answer === 'throws') throw new Error('of the handler');
        if (options.answer === 'end') res.end('ok');
        if (options.answer === 'empty') res.end();
        if (options.answer === 'headers') {
          res.setHeader('Content-Type', 'text/plain');
          res.setHeader('Content-Length', 2);
          res.end('ok');
        }
        if (options.answer === 'writeHead')
          res.writeHead(options.status, { 'Content-Length': 2, 'X-Set': 'c' }).end('ok');
        if (options.answer === 'pieces') {
          res.write('a');
          clock += 2_000_000;
          res.end('b');
        }
        if (options.answer === 'later')
          setImmediate(() => {
            clock += 3_000_000;
            res.end('later');
          });
      },
    ];
  },
});
