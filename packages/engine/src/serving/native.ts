/**
 * Undocumented parts of Node that the direct write of a response needs, and the check whether this version has them.
 *
 * The functions are saved at load time, to detect later whether a tool has patched them. A function that was patched
 * before this file was loaded must not be bypassed either.
 */
import { OutgoingMessage, ServerResponse } from 'node:http';
import { symbolNamed } from './node-internals';
import { verifiedNode } from './node-internals';
import { areNative } from './node-internals';

type Fields = Record<PropertyKey, unknown>;

/** The functions between a response and its socket. A tool that patches one of them expects it to be called. */
const responseFunctions = ServerResponse.prototype as unknown as Fields;

/** Node's functions by name, each with a word that occurs in its source. */
const marks = {
  end: '_implicitHeader',
  write: 'write_(',
  writeHead: '_storeHeader',
  setHeader: 'validateHeaderName',
  getHeader: 'kOutHeaders',
  removeHeader: '_removedContLen',
  _implicitHeader: 'writeHead',
  _storeHeader: 'Transfer-Encoding',
  _send: '_headerSent',
  _writeRaw: '_onPendingData',
  assignSocket: 'onServerResponseClose',
  detachSocket: 'onServerResponseClose',
  emit: 'kErrorMonitor',
  on: '_addListener',
} as const;

type NativeName = keyof typeof marks;

/** Node's own functions. */
export const native = Object.fromEntries(
  Object.keys(marks).map(name => [name, responseFunctions[name]]),
) as Record<NativeName, unknown>;

/** The symbol under which a message stores its headers, by lower-case name: `[name as set, value]`. */
export const OUT_HEADERS = outHeadersSymbol();

/** Whether all of these functions were unpatched when this file was loaded. */
export const wereNative = areNative(native, marks);

/** Whether responses can be written directly on this version of Node. */
export const canWriteDirectly =
  verifiedNode !== undefined && OUT_HEADERS !== undefined && wereNative && hasFields();

function outHeadersSymbol(): symbol | undefined {
  const message = new OutgoingMessage();
  const symbol = symbolNamed(message, 'kOutHeaders');
  if (symbol === undefined) return undefined;
  message.setHeader('X-Probe', 'value');
  const entry = (message as unknown as Record<symbol, Fields | undefined>)[symbol]?.['x-probe'];
  return Array.isArray(entry) && entry[0] === 'X-Probe' && entry[1] === 'value' ? symbol : undefined;
}

/** Whether a new message has the properties that the direct write reads and sets, with the expected values. */
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
  return (
    expected.every(([name, value]) => message[name] === value) &&
    Array.isArray(message.outputData) &&
    typeof message._finish === 'function'
  );
}
