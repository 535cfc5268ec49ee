// runs: slow
/** multer is the reference: generated options and forms give the same fields, files, errors and files on disk. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';
import theirs from 'multer';
import ours from '@ristretto/multer';
import { differentialTest, errorHandler } from '../../test-support/differential.js';
import type { Handler, Observed, Random } from '../../test-support/differential.js';
import { words } from '../../../engine/test/support/random.js';

type Factory = typeof theirs;
type Upload = ReturnType<Factory>;
type Handle = (
  req: never,
  file: { fieldname: string; originalname: string; stream: NodeJS.ReadableStream },
  callback: (error?: unknown, info?: object) => void,
) => void;

interface Options {
  method: 'single' | 'array' | 'fields' | 'any' | 'none';
  args: unknown[];
  storage: 'memory' | 'disk' | 'names' | 'own' | 'slow' | 'failing';
  filter: 'all' | 'none' | 'some' | 'late' | 'failing' | 'twice';
  limits?: Record<string, number>;
  /** Whether `limits` is a function. */
  isPerRequest: boolean;
  preservePath?: boolean;
  defParamCharset?: string;
  defCharset?: string;
  /** The maximum size of the chunks in which the body arrives. */
  split: number;
}

const BOUNDARY = 'xY-1';
const NAMES = ['a', 'b', 'photo'];
const FIELD_NAMES = words('a b a[] a[b] a[b][] a[0] a[2] a[1][c] b[ b]x [c] __proto__').concat([
  ...words(`a[__proto__] constructor hasOwnProperty[x] a[b][c][d] a[][b] a[10000] é b[12][0] a%22b
    a%0D%0A[c%2522] b%5Bc%5D%0a`),
  '',
]);
const FILE_NAMES = [
  ...['x.txt', '', 'a/b.txt', 'C:\\\\d\\\\e.txt', '..', '../../x', 'é.txt', 'q\\"q', 'a;b'],
  ...['say %22hi%22.txt', '%0d%0A%25%', 'x/%22'],
  'x'.repeat(50),
];
const TYPES = [
  ...['text/plain', 'Image/PNG', 'application/octet-stream', 'text/html; charset=latin1', 'x', ''],
  'text/plain; a="b',
];
const LIMITS: Record<string, number[]> = {
  fieldNameSize: [0, 1, 3, 100],
  fieldSize: [0, 1, 5, 100],
  fields: [0, 1, 2, 5],
  fieldNestingDepth: [0, 1, 2],
  fieldArrayIndexLimit: [0, 1, 5],
  fileSize: [0, 1, 5, 100, 5000],
  files: [0, 1, 2],
  parts: [0, 1, 3, 5],
  headerPairs: [1, 5],
};

const FILLERS = [
  ...['', 'v', 'value', '\r\n', '--', `\r\n--${BOUNDARY.slice(0, 2)}`, '\r\n--', '\r', '-', 'é', '\0'],
  ...['\xff\xfe', '123456'],
];

function content(random: Random): string {
  if (random.chance(0.05)) return 'x'.repeat(random.pick([4096, 5000, 70_000]));
  return random.many(0, 4, () => random.pick(FILLERS)).join('');
}

function part(random: Random): string {
  const isFile = random.chance(0.4);
  const name = isFile ? random.pick(random.chance(0.9) ? NAMES : FIELD_NAMES) : random.pick(FIELD_NAMES);
  let disposition = `form-data; name="${name}"`;
  if (isFile) disposition += `; filename="${random.pick(FILE_NAMES)}"`;
  if (random.chance(0.04))
    disposition += random.pick([
      ...["; filename*=utf-8''%e2%82%ac", "; filename*=utf-8''%22%2522%0A", "; filename*=utf-8''"],
      ...["; filename*=z''; x=y", '; x=y', ';', "; filename*=z''y", ' '],
    ]);
  if (random.chance(0.03))
    disposition = random.pick([
      'form-data',
      'attachment; name=a',
      'FORM-DATA;name=a',
      '',
      'form-data; filename="x"',
    ]);
  const lines = [`${random.pick(['Content-Disposition', 'content-disposition'])}: ${disposition}`];
  if (random.chance(isFile ? 0.8 : 0.15)) lines.push(`Content-Type: ${random.pick(TYPES)}`);
  if (random.chance(0.05))
    lines.push(random.pick(['Content-Transfer-Encoding: BASE64', 'X-Y: z', 'X: y\r\n folded']));
  if (random.chance(0.01)) lines.push(random.pick(['no header', ': x', 'X : y', 'X: \x01']));
  if (random.chance(0.1)) lines.reverse();
  return `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\n${content(random)}\r\n`;
}

function body(random: Random): string {
  const parts = random.many(0, 6, () => part(random)).join('');
  const start = random.chance(0.03) ? random.pick(['preamble\r\n', '\r\n', 'x']) : '';
  const end = random.chance(0.94)
    ? `--${BOUNDARY}--\r\n`
    : random.pick(['', `--${BOUNDARY}`, `--${BOUNDARY}--epilogue`, `--${BOUNDARY}-`]);
  const whole = start + parts + end;
  return random.chance(0.02) ? whole.slice(0, random.between(0, whole.length)) : whole;
}

function contentType(random: Random): string {
  if (random.chance(0.95)) return `multipart/form-data; boundary=${BOUNDARY}`;
  return random.pick([
    `multipart/form-data; boundary="${BOUNDARY}"`,
    `Multipart/Form-Data; charset=utf-8; Boundary=${BOUNDARY}`,
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/mixed; boundary=${BOUNDARY}`,
    'application/json',
    `multipart/form-data; boundary=${BOUNDARY}; x`,
  ]);
}

function options(random: Random): Options {
  const method = random.pick(['single', 'array', 'fields', 'any', 'any', 'any', 'none'] as const);
  const args: Record<Options['method'], () => unknown[]> = {
    single: () => [random.pick(NAMES)],
    array: () => [random.pick(NAMES), ...(random.chance(0.5) ? [random.between(0, 3)] : [])],
    fields: () => [
      random.many(0, 3, () => ({
        name: random.pick(NAMES),
        ...(random.chance(0.5) ? { maxCount: random.between(0, 3) } : {}),
      })),
    ],
    any: () => [],
    none: () => [],
  };
  const limits = random.many(0, 2, () => {
    const name = random.pick(Object.keys(LIMITS));
    return [name, random.pick(LIMITS[name]!)] as const;
  });
  return {
    method,
    args: args[method](),
    storage: random.pick(['memory', 'memory', 'disk', 'names', 'own', 'slow', 'failing']),
    filter: random.chance(0.6) ? 'all' : random.pick(['none', 'some', 'late', 'failing', 'twice', 'twice']),
    ...(random.chance(0.4) ? { limits: Object.fromEntries(limits) } : {}),
    isPerRequest: random.chance(0.2),
    ...(random.chance(0.2) ? { preservePath: true } : {}),
    ...(random.chance(0.2) ? { defParamCharset: random.pick(['utf8', 'latin1', 'UTF-8']) } : {}),
    ...(random.chance(0.2) ? { defCharset: random.pick(['utf8', 'latin1', 'utf-16le']) } : {}),
    split: random.pick([1, 2, 7, 50, 1000, 100_000]),
  };
}

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ristretto-multer-'));
process.once('exit', () => fs.rmSync(root, { recursive: true, force: true }));
let directories = 0;

function storageOf(factory: Factory, kind: Options['storage'], directory: string, trace: string[]): unknown {
  if (kind === 'memory') return factory.memoryStorage();
  if (kind === 'disk') return factory.diskStorage({ destination: directory });
  if (kind === 'names') {
    let count = 0;
    return factory.diskStorage({
      destination: (_req, file, callback) => {
        trace.push(`destination ${Object.keys(file).join()}`);
        setImmediate(callback, null, directory);
      },
      filename: (_req, file, callback) => callback(null, `${count++}-${file.fieldname.length}`),
    });
  }
  const _handleFile: Handle = (_req, file, callback) => {
    const pieces: Buffer[] = [];
    file.stream.on('data', (piece: Buffer) => pieces.push(piece));
    file.stream.on('end', () => {
      const text = Buffer.concat(pieces).toString('latin1');
      if (kind === 'failing' && text.length % 2 === 1) callback(new Error(`storage of ${file.fieldname}`));
      else if (kind === 'slow') setTimeout(callback, text.length % 3, null, { text, size: text.length });
      else callback(null, { text, size: text.length });
    });
  };
  const _removeFile = (_req: never, file: object, callback: (error: Error | null) => void): void => {
    // Each implementation may pass on a different number of bytes of a file over the limit.
    trace.push(`remove ${Object.keys(file).join()}`);
    callback(kind === 'failing' ? new Error('remove') : null);
  };
  return { _handleFile, _removeFile };
}

type Decide = (
  req: unknown,
  file: { originalname: string; fieldname: string },
  callback: (...args: never[]) => void,
) => void;

function filterOf(kind: Options['filter'], trace: string[]): Decide | undefined {
  if (kind === 'all') return undefined;
  return (_req, file, callback) => {
    trace.push(`filter ${inspect(file)}`);
    const call = callback as (error: unknown, isAccepted?: boolean) => void;
    if (kind === 'late') setTimeout(call, 2, null, file.fieldname !== 'b');
    else if (kind === 'failing' && file.fieldname === 'b') call(new Error('filter'));
    else if (kind === 'twice') {
      const isAccepted = file.originalname.length % 2 === 0;
      call(null, isAccepted);
      // The original loses, damages or hangs on a file that is decided again in another way.
      if (!isAccepted) call(null, false);
    } else call(null, kind !== 'none' && (kind !== 'some' || file.originalname.length % 2 === 0));
  };
}

/** Makes the body arrive in chunks of this size. */
function split(req: { push(chunk: Buffer | null): boolean }, size: number): void {
  const push = req.push.bind(req);
  req.push = chunk => {
    if (chunk === null) return push(null);
    let more = true;
    // Sending a large body in single bytes would only take time.
    const step = Math.max(size, Math.ceil(chunk.length / 2000));
    for (let at = 0; at < chunk.length; at += step) more = push(chunk.subarray(at, at + step));
    return more;
  };
}

/** Which of the faults of a malformed form is found depends on when the header of a part is read. */
const MALFORMED = /Malformed part header|Unexpected end of form/;

function withoutRemovals(observed: Observed): Observed {
  return {
    ...observed,
    trace: observed.trace.map(line => line.replace(/storageErrors: \d+/, 'storageErrors')),
  };
}

differentialTest<Factory, Options>({
  name: 'multer',
  original: theirs,
  ours: ours as unknown as Factory,
  on: ['express4', 'express5', 'ristretto', 'ristretto5', 'ristretto3', 'connect', 'http'],
  generate: random => ({
    options: options(random),
    requests: random.many(1, 2, () => ({
      method: 'POST',
      target: '/',
      headers: [['Content-Type', contentType(random)] as [string, string]],
      body: body(random),
    })),
  }),
  build(factory, { method, args, storage, filter, limits, isPerRequest, split: size, ...rest }, trace) {
    const directory = path.join(root, String(directories++));
    fs.mkdirSync(directory);
    const upload = factory({
      ...rest,
      storage: storageOf(factory, storage, directory, trace),
      ...(limits === undefined ? {} : { limits: isPerRequest ? () => limits : limits }),
      ...(filter === 'all' ? {} : { fileFilter: filterOf(filter, trace) }),
    } as Parameters<Factory>[0]);
    const middleware = (upload[method] as (...all: unknown[]) => ReturnType<Upload['any']>)(...args);
    const files = (): string =>
      fs
        .readdirSync(directory)
        .map(name => {
          const text = fs.readFileSync(path.join(directory, name), 'latin1');
          fs.unlinkSync(path.join(directory, name));
          return `${name.replace(/^[\da-f]{32}$/, 'random')} ${text.length} ${text.slice(0, 50)}`;
        })
        .sort()
        .join();
    const shown = (value: unknown): string =>
      inspect(value, { depth: 9 })
        .replaceAll(directory, 'DIR')
        .replace(/[\da-f]{32}/g, 'random');
    interface Received {
      body?: unknown;
      file?: unknown;
      files?: unknown;
    }
    const handlers: Handler[] = [
      (req, _res, next) => {
        split(req as never, size);
        next();
      },
      middleware as never,
      (req, res) => {
        const { body: fields, file, files: list } = req as Received;
        trace.push(shown({ fields, file, list }), files());
        res.end('ok');
      },
      errorHandler((error, _req, res, _next) => {
        const { name, message, code, field, filename, storageErrors } = error as Record<string, string>;
        trace.push(
          shown({ name, message, code, field, filename, storageErrors: storageErrors?.length }),
          files(),
        );
        res.statusCode = 500;
        res.end('failed');
      }),
    ];
    return handlers;
  },
  // After an error, the original continues with the current chunk, so the calls after it depend on how the body is
  // split.
  normalize: observed => {
    const { body: sent, trace } = observed;
    if (sent !== 'failed') return observed;
    const kept = trace.filter(line => !/^(?:filter|destination|remove) /.test(line));
    return { ...observed, trace: kept.map(line => (MALFORMED.test(line) ? 'malformed' : line)) };
  },
  isAccepted: (original, mine, { options: { storage } }) =>
    original.body === 'failed' &&
    // One part too many is rejected by its header, whatever else is wrong with it.
    (mine.trace.some(line => line.includes('LIMIT_PART_COUNT')) ||
      // After an error, the original still stores files that are incomplete, and removes them with those before.
      (storage === 'failing' && isDeepStrictEqual(withoutRemovals(original), withoutRemovals(mine)))),
});
