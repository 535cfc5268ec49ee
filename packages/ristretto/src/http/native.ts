/**
 * What the fast answer needs of the runtime beyond its documentation, and whether this runtime has it.
 *
 * The functions are kept as they were at load time, to know later whether somebody has patched them. Each must be the
 * runtime's own: one that was patched before this file was loaded would be passed by in silence.
 */
import { OutgoingMessage, ServerResponse } from 'node:http';

type Fields = Record<PropertyKey, unknown>;

/** The functions that stand between an answer and its socket; who patches one of them wants it to be called. */
const responseFunctions = ServerResponse.prototype as unknown as Fields;

/** The runtime's functions by name, each with a word that its source has and a wrapper's has not. */
const marks = {
  end: '_implicitHeader',
  write: 'write_(',
  writeHead: '_storeHeader',
  setHeader: 'validateHeaderName',
  getHeader: 'toLowerCase',
  removeHeader: '_removedContLen',
  _implicitHeader: 'writeHead',
  _storeHeader: 'Transfer-Encoding',
  _send: '_headerSent',
} as const;

type NativeName = keyof typeof marks;

/** The runtime's own functions. */
export const native = Object.fromEntries(
  Object.keys(marks).map(name => [name, responseFunctions[name]]),
) as Record<NativeName, unknown>;

/** The symbol under which a message keeps its header fields, by lower-case name: `[name as set, value]`. */
export const OUT_HEADERS = outHeadersSymbol();

/** The symbol under which newer runtimes note that all of a message is written; older ones see it by themselves. */
export const WRITABLE_FINISHED = Object.getOwnPropertySymbols(new OutgoingMessage()).find(
  ({ description }) => description === 'kWritableFinished',
);

/** Whether answers can be written in one go on this runtime. */
export const canWriteDirectly =
  OUT_HEADERS !== undefined && areNative(native, marks) && hasFields() && tellsWhenFinished();

/**
 * Whether functions are the runtime's own.
 * @param functions by their names
 * @param words for each name a word that the source of the runtime's function has, and a wrapper's has not
 */
export function areNative<Name extends string>(
  functions: Record<Name, unknown>,
  words: Record<Name, string>,
): boolean {
  return (Object.keys(words) as Name[]).every(name => {
    const fn = functions[name];
    return typeof fn === 'function' && Function.prototype.toString.call(fn).includes(words[name]);
  });
}

function outHeadersSymbol(): symbol | undefined {
  const message = new OutgoingMessage();
  const symbol = Object.getOwnPropertySymbols(message).find(
    ({ description }) => description === 'kOutHeaders',
  );
  if (symbol === undefined) return undefined;
  message.setHeader('X-Probe', 'value');
  const entry = (message as unknown as Record<symbol, Fields | undefined>)[symbol]?.['x-probe'];
  return Array.isArray(entry) && entry[0] === 'X-Probe' && entry[1] === 'value' ? symbol : undefined;
}

/** Whether it is known what makes a message count as finished. */
function tellsWhenFinished(): boolean {
  const message = new OutgoingMessage() as unknown as Fields & { finished: boolean };
  if (typeof message._finish !== 'function') return false;
  message.finished = true;
  if (WRITABLE_FINISHED !== undefined) message[WRITABLE_FINISHED] = true;
  return message.writableFinished === true && message.writableEnded === true;
}

/** Whether a fresh message has the fields that `write.ts` reads and sets, with the values that it expects. */
function hasFields(): boolean {
  const message = new OutgoingMessage() as unknown as Fields;
  const expected: [string, unknown][] = [
    ['_header', null],
    ['_headerSent', false],
    ['_hasBody', true],
    ['_removedConnection', false],
    ['_removedContLen', false],
    ['_removedTE', false],
    ['_defaultKeepAlive', true],
    ['_keepAliveTimeout', 0],
    ['_last', false],
    ['_trailer', ''],
    ['chunkedEncoding', false],
    ['shouldKeepAlive', true],
    ['useChunkedEncodingByDefault', true],
    ['maxRequestsOnConnectionReached', false],
    ['strictContentLength', false],
    ['finished', false],
  ];
  return expected.every(([name, value]) => message[name] === value) && Array.isArray(message.outputData);
}
