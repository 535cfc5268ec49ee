// runs: slow
/** compression is the reference: generated options, responses and requests give the same headers, bodies and events. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import theirs from 'compression';
import ours from '@ristretto/compression';
import { differentialTest } from '../../test-support/differential.js';
import type { Observed, Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

type Way = (typeof WAYS)[number];

const WAYS = [
  ...['end', 'end bytes', 'end nothing', 'end latin1', 'write and end', 'write, flush and end'],
  ...['write later', 'writeHead and end', 'writeHead and write', 'flushHeaders and end', 'pipe', 'send'],
  'json',
] as const;

interface Plan {
  way: Way;
  size: number;
  status?: number;
  type?: string;
  headers?: [string, string][];
  hasLength?: boolean;
}

interface Options {
  given: Record<string, unknown> | null;
  filter?: 'all' | 'none' | 'by header';
  plans: Plan[];
}

const NAMES = ['gzip', 'deflate', 'br', 'identity', '*', 'GZIP', 'x-gzip', 'compress', '', 'g zip'];
const QUALITIES = [
  ...['', '', '', ';q=1', ';q=0.5', ';q=0', ';q=0.8', ' ; q=0.3', ';q=', ';q=x', ';Q=0.2', ';a=b;q=0.4'],
  ';q=0.001',
];
const TYPES = [
  'text/plain',
  'text/html; charset=utf-8',
  ...words(`application/json image/png image/svg+xml x/y TEXT/CSS application/x-javascript bad ;`),
];

function acceptEncoding(random: Random): string {
  return random
    .many(0, 4, () => random.pick(NAMES) + random.pick(QUALITIES))
    .join(random.pick([',', ', ', ' , ']));
}

function optionsOf(random: Random): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  if (random.chance(0.7)) given.threshold = random.pick([0, 0, 1, 10, '1kb', '20b', null, 5000]);
  if (random.chance(0.3)) given.level = random.between(-1, 9);
  if (random.chance(0.1)) given.memLevel = random.between(1, 9);
  if (random.chance(0.1)) given.strategy = random.between(0, 4);
  if (random.chance(0.1)) given.windowBits = random.between(9, 15);
  if (random.chance(0.1)) given.chunkSize = random.pick([64, 1024, 100_000]);
  if (random.chance(0.2))
    given.enforceEncoding = random.pick(['gzip', 'br', 'deflate', 'identity', 'zip', '*', null]);
  if (random.chance(0.1))
    given.brotli = random.pick([
      {},
      { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } },
      { chunkSize: 100 },
    ]);
  return given;
}

const HEADERS: [string, string][] = [
  ['Cache-Control', 'no-transform'],
  ['Cache-Control', 'public, No-Transform, max-age=1'],
  ['Cache-Control', 'no-transformation'],
  ['Vary', 'Origin'],
  ['Vary', '*'],
  ['Vary', 'accept-encoding'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['ETag', '"abc"'],
  ['ETag', 'W/"abc"'],
  ['X-Other', '1'],
];

function planOf(random: Random): Plan {
  const plan: Plan = {
    way: random.pick(WAYS),
    size: random.pick([0, 1, 9, 10, 500, 1023, 1024, 1025, 3000, 3000, 70_000]),
  };
  if (random.chance(0.2)) plan.status = random.pick([201, 203, 404, 500]);
  if (random.chance(0.8)) plan.type = random.pick(TYPES);
  if (random.chance(0.4)) plan.headers = random.many(1, 2, () => random.pick(HEADERS));
  // These ways send a different length, or an error.
  const isOther = ['end nothing', 'send', 'json'].includes(plan.way);
  if (random.chance(0.3) && !isOther) plan.hasLength = true;
  return plan;
}

const textOf = (size: number): string => 'The quick brown fox. '.repeat(size / 21 + 1).slice(0, size);

interface AnyResponse extends ServerResponse {
  flush(): void;
  send?: (body: string) => void;
  json?: (value: unknown) => void;
}

/** Responds as planned, using only what all frameworks and Node have in common. */
function carryOut(
  { way, size, status, type, headers = [], hasLength }: Plan,
  res: AnyResponse,
  trace: string[],
): void {
  const text = textOf(size);
  const note = (name: string) => () => void trace.push(name);
  if (way.startsWith('writeHead')) {
    const given = Object.fromEntries(headers);
    if (type !== undefined) given['Content-Type'] = type;
    if (hasLength) given['Content-Length'] = String(size);
    res.writeHead(status ?? 200, given);
  } else {
    if (status !== undefined) res.statusCode = status;
    for (const [name, value] of headers) res.setHeader(name, value);
    if (type !== undefined) res.setHeader('Content-Type', type);
    if (hasLength) res.setHeader('Content-Length', size);
  }
  const half = text.slice(0, size / 2);
  const rest = text.slice(size / 2);
  switch (way) {
    case 'end':
    case 'writeHead and end':
      return void res.end(text);
    case 'end bytes':
      return void res.end(Buffer.from(text));
    case 'end nothing':
      return void res.end();
    case 'end latin1':
      return void res.end(text, 'latin1');
    case 'write and end':
    case 'writeHead and write':
      res.write(half);
      return void res.end(rest);
    case 'write, flush and end':
      res.write(half);
      res.flush();
      return void res.end(Buffer.from(rest));
    case 'write later':
      res.write(Buffer.from(half));
      return void setTimeout(() => {
        res.flush();
        res.write(rest);
        res.on('drain', note('drain'));
        res.end();
      }, 1);
    case 'flushHeaders and end':
      res.flushHeaders();
      return void res.end(text);
    case 'pipe':
      return void Readable.from([half, rest].filter(part => part !== '')).pipe(res);
    default:
      if (res.send === undefined) res.end(text);
      else if (way === 'send') res.send(text);
      else res.json!({ text });
  }
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
};

/** A complete body has a length, where the original sends chunks. The client has checked the framing. */
const FRAMING = /^(?:content-length|transfer-encoding):/i;

function normalize(observed: Observed): Observed {
  const encoding = observed.headers.find(header => /^content-encoding:/i.test(header))?.split(': ')[1];
  const decode = DECODERS[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
  const headers = observed.headers.filter(header => !FRAMING.test(header));
  try {
    const body = observed.body && decode(Buffer.from(observed.body, 'latin1')).toString('latin1');
    return { ...observed, headers, body };
  } catch {
    // The application only declares that it is encoded.
    return { ...observed, headers };
  }
}

differentialTest<typeof theirs, Options>({
  name: 'compression',
  original: theirs,
  ours: ours as unknown as typeof theirs,
  generate(random) {
    const plans = random.many(1, 3, () => planOf(random));
    const options: Options = { given: random.chance(0.1) ? null : optionsOf(random), plans };
    if (random.chance(0.2)) options.filter = random.pick(['all', 'none', 'by header']);
    return {
      options,
      requests: plans.map((_plan, index) => ({
        method: random.chance(0.1) ? 'HEAD' : 'GET',
        target: `/${index}`,
        headers: random.chance(0.9)
          ? [['Accept-Encoding', random.chance(0.4) ? 'gzip, deflate, br' : acceptEncoding(random)]]
          : [],
      })),
    };
  },
  build(create, { given, filter, plans }, trace) {
    const options: Record<string, unknown> | undefined = given === null ? undefined : { ...given };
    if (filter !== undefined && options !== undefined) {
      options.filter = (req: never, res: never) => {
        trace.push('filter');
        return filter === 'by header' ? create.filter(req, res) : filter === 'all';
      };
    }
    return [
      create(options as never) as never,
      (req, res) => {
        const plan = plans[Number(req.url?.slice(1))];
        if (plan === undefined) res.end();
        else carryOut(plan, res as AnyResponse, trace);
      },
    ];
  },
  normalize,
});
