/** Generates the values in programs: statuses of any type, bodies, headers and names of functions. */
import { words } from '../../../packages/engine/test/support/random.js';
import type { Random } from '../../../packages/engine/test/support/random.js';
import type { Value, Wrapper } from './program.js';

const ORDINARY_STATUSES: Value[] = [200, 201, 204, 205, 206, 304, 400, 404, 500];

/** Statuses that are not plain integers in range, and unusual ones that are. */
const ODD_STATUSES: Value[] = [
  ...words('200 204 304 404 length map __proto__ constructor'),
  ...['', 99, 100, 101, 103, 199, 299, 600, 999, 1000, -1, 0, 200.5, 204.9, 1e21, null, true],
  { $: 'undefined' },
  { $: 'NaN' },
  { $: 'Infinity' },
  { $: 'bigint', text: '204' },
  { $: 'bigint', text: '200' },
  { $: 'Number', text: 204 },
  { $: 'Number', text: 304 },
  { $: 'Number', text: 200 },
  { $: 'String', text: '204' },
  { $: 'toString', text: '204' },
  { $: 'valueOf', text: 204 },
  { $: 'valueOf', text: 304 },
  { $: 'null-object' },
  [204],
  [200, 204],
  [],
];

export function status(random: Random, oddShare: number): Value {
  return random.pick(random.chance(oddShare) ? ODD_STATUSES : ORDINARY_STATUSES);
}

const BODIES: Value[] = [
  'text',
  'text',
  'é 漢',
  '',
  { a: 1 },
  [],
  null,
  true,
  7,
  { $: 'undefined' },
  { $: 'buffer', text: 'bytesÿ' },
  { $: 'buffer', text: '' },
  { $: 'bytes', text: 'abc' },
  { $: 'filler', text: 2_000 },
  { $: 'filler', text: 20_000 },
  { $: 'filler buffer', text: 20_000 },
  { $: 'filler', text: 1_000_000 },
];

export function body(random: Random): Value {
  return random.pick(BODIES);
}

const CHUNKS: Value[] = [
  'chunk',
  'chunk',
  'é 漢',
  '',
  { $: 'buffer', text: 'bytesÿ' },
  { $: 'buffer', text: '' },
  { $: 'bytes', text: 'abc' },
  { $: 'filler', text: 500 },
  { $: 'filler buffer', text: 20_000 },
  { $: 'filler buffer', text: 100_000 },
];

/** Returns a chunk that `write` and `end` accept, and occasionally one that they reject. */
export function chunk(random: Random): Value {
  return random.chance(0.95) ? random.pick(CHUNKS) : random.pick<Value>([5, null, { a: 1 }, true]);
}

/** Names and values of headers, most of which determine the framing of a response. */
const HEADERS: [string, Value[]][] = [
  ['Connection', ['close', 'keep-alive', 'Close', 'upgrade', 'close, x', '']],
  ['Content-Length', [0, 3, 4, 5, 100, '4', 'x', '-1', '4, 4']],
  ['Transfer-Encoding', ['chunked', 'gzip, chunked', 'identity', 'gzip', '']],
  ['Date', ['Thu, 01 Jan 1970 00:00:00 GMT', 'never']],
  ['Keep-Alive', ['timeout=9']],
  ['Trailer', ['X-Trailer']],
  ['Expect', ['100-continue']],
  ['Upgrade', ['h2c']],
  ['Set-Cookie', [['a=1', 'b=2'], 'a=1', []]],
  ['X-Any', ['value', ['one', 'two'], 5, 'é', '漢', 'a\nb', { $: 'undefined' }, '']],
  ['Content-Type', ['text/plain', 'text/html', 'application/json', 'x']],
  ['ETag', ['"own"']],
];

export function header(random: Random): [string, Value] {
  const [name, values] = random.pick(HEADERS);
  return [random.chance(0.1) ? name.toLowerCase() : name, random.pick(values)];
}

/** Functions of responses and requests that programs replace. */
const MEMBERS: Record<Wrapper['of'], string[]> = {
  res: words(`write write write end end end writeHead writeHead setHeader removeHeader getHeader
    hasHeader flushHeaders emit on once send json _storeHeader _implicitHeader _send _writeRaw _finish
    assignSocket detachSocket destroy writeContinue cork`),
  req: words('emit on once push read pause resume destroy pipe unpipe _dump _read'),
  socket: ['write', 'end', 'destroy', 'emit', 'on', 'cork', 'uncork', 'pause', 'resume'],
};

/** Members that leave the connection unusable if they do nothing, in any framework. */
const NEEDED =
  /^(?:assignSocket|detachSocket|_finish|emit|_storeHeader|_implicitHeader|_send|_writeRaw|_read|push)$/;

export function member(random: Random, of: Wrapper['of']): string {
  return random.pick(MEMBERS[of]);
}

/** Returns what the replacement does, depending on the member. */
export function how(random: Random, of: Wrapper['of'], name: string): Wrapper['how'] {
  // Without the return value of `read`, Node.js reads in an endless loop
  if (name === 'read') return 'pass';
  if (NEEDED.test(name)) return random.pick(['pass', 'pass', 'nothing']);
  const some: Wrapper['how'][] = ['pass', 'pass', 'nothing', 'nothing'];
  if (of === 'res') {
    if (/^(?:end|write)$/.test(name)) some.push('defer', 'change', 'header', 'skip-first', 'throw-first');
    if (/^(?:writeHead|end|flushHeaders|write)$/.test(name)) some.push('header');
    if (/^(?:writeHead|setHeader|send|json|flushHeaders)$/.test(name)) some.push('throw-first', 'skip-first');
  }
  return random.pick(some);
}
