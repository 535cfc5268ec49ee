/** Generates the ways in which handlers respond. */
import { words } from '../../../packages/engine/test/support/random.js';
import type { Random } from '../../../packages/engine/test/support/random.js';
import type { Step, Value } from './program.js';
import { body, chunk, header, status } from './generate-values.js';

/** The probability of unusual values, by the subject of the program. */
export interface Mood {
  oddStatus: number;
  oddHeader: number;
  big: number;
}

export function call(name: string, ...args: Value[]): Step {
  return args.length > 0 ? { call: name, args } : { call: name };
}

let callbacks = 0;

/** Returns a callback, which may do something itself. */
function callback(name: string): Value {
  return { $: 'callback', text: `${name}${++callbacks}` };
}

/** Restarts the numbering of callbacks, which are numbered within a program. */
export function resetCallbacks(): void {
  callbacks = 0;
}

export function setStatus(random: Random, mood: Mood): Step {
  const value = status(random, mood.oddStatus);
  return random.chance(0.7) ? call('res.status', value) : { put: 'res.statusCode', value };
}

/** Returns a step that changes the headers before a response. */
export function prepare(random: Random): Step {
  return random.weighted<Step>([
    [6, () => call('res.setHeader', ...header(random))],
    [1, () => call('res.set', ...header(random))],
    [1, () => call('res.appendHeader', ...header(random))],
    [
      3,
      () =>
        call(
          'res.removeHeader',
          random.pick(words('Date Connection Content-Length Transfer-Encoding X-Powered-By Keep-Alive')),
        ),
    ],
    [1, () => ({ put: 'res.sendDate', value: false })],
    [1, () => ({ put: 'res.shouldKeepAlive', value: random.pick([false, true]) })],
    [1, () => ({ put: 'res.useChunkedEncodingByDefault', value: random.pick([false, true]) })],
    [1, () => ({ put: 'res.chunkedEncoding', value: random.pick([false, true]) })],
    [1, () => ({ put: 'res.strictContentLength', value: true })],
    [1, () => ({ put: 'res.statusMessage', value: random.pick<Value>(['Fine', '', 'é', '漢', 'a\nb', 5]) })],
    [1, () => call('res.flushHeaders')],
    [1, () => call('res.cork')],
    [1, () => ({ put: 'res.maxRequestsOnConnectionReached', value: true })],
    [1, () => call('res.setHeaders', { $: 'Map', text: 'mapped' })],
    [1, () => call('res.addTrailers', { 'X-Trailer': 'late' })],
    [1, () => inform(random)],
  ]);
}

function inform(random: Random): Step {
  return random.pick<Step>([
    call('res.writeContinue'),
    call('res.writeContinue', callback('continue')),
    call('res.writeProcessing'),
    call('res.writeEarlyHints', { link: '</a.css>; rel=preload' }),
    call('res.writeEarlyHints', { link: '</a.css>; rel=preload' }, callback('hints')),
  ]);
}

function endArguments(random: Random): Value[] {
  return random.weighted<Value[]>([
    [3, () => []],
    [4, () => [chunk(random)]],
    [1, () => [chunk(random), random.pick(['utf8', 'latin1', 'utf16le', 'base64', 'nope'])]],
    [2, () => [chunk(random), callback('end')]],
    [2, () => [callback('end')]],
    [1, () => [chunk(random), 'utf8', callback('end')]],
    [0.5, () => [{ $: 'undefined' }, callback('end')]],
    [0.5, () => [null, null, callback('end')]],
  ]);
}

export function end(random: Random): Step {
  const step = call('res.end', ...endArguments(random));
  if (random.chance(0.1)) step.steps = [random.pick([call('res.end'), { state: 'in the callback' }])];
  return step;
}

function write(random: Random): Step {
  const args: Value[] = [chunk(random)];
  if (random.chance(0.2)) args.push(random.pick(['utf8', 'latin1', 'ascii']));
  if (random.chance(0.3)) args.push(callback('write'));
  return call('res.write', ...args);
}

function writeHead(random: Random, mood: Mood): Step {
  const args: Value[] = [status(random, mood.oddStatus)];
  if (random.chance(0.2)) args.push('Reason');
  if (random.chance(0.6)) args.push(Object.fromEntries(random.many(1, 2, () => header(random))));
  return call('res.writeHead', ...args);
}

function sendFile(random: Random): Step {
  const name = random.pick(['a.txt', 'big.bin', 'empty.txt', 'missing.txt', 'big.bin', 'sub']);
  const args: Value[] = [{ $: 'root', text: `/${name}` }];
  if (random.chance(0.5)) args.push(callback('file'));
  return call(random.chance(0.8) ? 'res.sendFile' : 'res.download', ...args);
}

function tearDown(random: Random): Step {
  return random.pick<Step>([
    call('res.destroy'),
    call('res.destroy', { $: 'error', text: 'given up' }),
    call('req.destroy'),
    call('req.destroy', { $: 'error', text: 'given up' }),
    call('socket.destroy'),
    call('socket.end'),
    call('socket.end', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  ]);
}

const SIZES = [0, 10, 70_000, 1_000_000];

/** Returns the steps that send a response, or leave it unsent. */
export function respond(random: Random, mood: Mood): Step[] {
  if (random.chance(mood.big)) return [big(random)];
  return random.weighted<Step[]>([
    [6, () => [call('res.send', body(random))]],
    [3, () => [call('res.json', body(random))]],
    [2, () => [call('res.sendStatus', status(random, mood.oddStatus))]],
    [1.5, () => [call('res.redirect', '/elsewhere')]],
    [0.5, () => [call('res.redirect', status(random, mood.oddStatus), '/elsewhere')]],
    [8, () => [end(random)]],
    [5, () => [...random.many(1, 3, () => write(random)), end(random)]],
    [3, () => [writeHead(random, mood), ...random.many(0, 1, () => write(random)), end(random)]],
    [2, () => [writeHead(random, mood), call('res.send', body(random))]],
    [1, () => [call('res.flushHeaders'), end(random)]],
    [1, () => [call('res.cork'), ...random.many(1, 2, () => write(random)), call('res.uncork'), end(random)]],
    [1, () => [write(random), tearDown(random)]],
    [1, () => [call('res.flushHeaders'), tearDown(random)]],
    [2, () => [tearDown(random)]],
    [3, () => [sendFile(random)]],
    [2, () => [{ pipe: random.pick(SIZES) }]],
    [1, () => [{ pipe: 'request' }]],
    [1, () => [{ next: 'nothing' }]],
    [1.5, () => [{ next: 'error' }]],
    [1, () => [{ throw: 'thrown' }]],
    [0.7, () => [write(random)]],
    [0.5, () => []],
  ]);
}

/** Returns a step with a body that fills every buffer between server and client. */
function big(random: Random): Step {
  const text = 30_000_000;
  return random.pick<Step>([
    call('res.send', { $: 'filler', text }),
    call('res.send', { $: 'filler buffer', text }),
    call('res.end', { $: 'filler buffer', text }),
    call('res.end', { $: 'filler', text }, callback('end')),
    { pipe: text },
  ]);
}

/** Returns a step for a handler whose response has already started. */
export function afterwards(random: Random): Step {
  return random.weighted<Step>([
    [3, () => end(random)],
    [3, () => write(random)],
    [1, () => call('res.send', 'again')],
    [1, () => call('res.setHeader', 'X-Late', 'late')],
    [1, () => call('res.flushHeaders')],
    [1, () => call('res.writeHead', 200)],
    [1, () => call('res.addTrailers', { 'X-Trailer': 'late' })],
    [1, () => call('res.destroy')],
    [0.5, () => call('req.destroy')],
    [1, () => ({ put: 'res.statusCode', value: 500 })],
    [1, () => ({ next: 'error' })],
    [0.5, () => ({ throw: 'after the response' })],
    [2, () => ({ state: 'afterwards' })],
  ]);
}
