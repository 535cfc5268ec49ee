/** HTTP/2 connections as frames, valid and not, and what a server may do with each (RFC 9113). */
import type { ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:net';
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  GOAWAY,
  HEADERS,
  literals,
  number,
  OPENING,
  PING,
  PREFACE,
  PRIORITY,
  RawSession,
  request,
  requestBlock,
  RST_STREAM,
  setting,
  SETTINGS,
  WINDOW_UPDATE,
} from '../http2-frames.js';
import { words } from '../random.js';
import { portOf } from '../http.js';

interface Http2Case {
  title: string;
  /** The section of RFC 9113. */
  section: string;
  /** What the client sends, after the opening unless `isWhole`. */
  bytes: Buffer;
  isWhole?: boolean;
  /** The outcomes that the specification allows. */
  right: string[];
}

const PADDED = 8;
const PUSH_PROMISE = 5;
/** A stream that no case uses: its response shows that everything before has been handled. */
const LAST = 101;

const CODES = words(`
  NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT STREAM_CLOSED
  FRAME_SIZE_ERROR REFUSED_STREAM CANCEL COMPRESSION_ERROR
`);

/** Ends the connection. A server may also just close it (RFC 9113, section 5.4.1). */
const connection = (...codes: string[]): string[] => [...codes.map(code => `GOAWAY ${code}`), 'closed'];
/** Ends the stream, or, since a server may treat any error of a stream so, the connection (section 5.4.2). */
const stream = (...codes: string[]): string[] => [
  ...codes.map(code => `RST_STREAM ${code}`),
  ...connection(...codes),
];
const malformed = ['400', ...stream('PROTOCOL_ERROR')];

const rest = END_STREAM | END_HEADERS;
const post = (fields: Record<string, string> = {}): Buffer =>
  frame(HEADERS, END_HEADERS, 1, requestBlock('/', { ':method': 'POST', ...fields }));
const headers = (block: Buffer, flags = rest): Buffer => frame(HEADERS, flags, 1, block);
const without = (name: string): Buffer => {
  const fields = { ':method': 'GET', ':scheme': 'http', ':authority': 'x', ':path': '/' };
  return headers(literals(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))));
};
const all = (...parts: Buffer[]): Buffer => Buffer.concat(parts);
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

const of = (section: string, ...cases: [title: string, bytes: Buffer, right: string[]][]): Http2Case[] =>
  cases.map(([title, bytes, right]) => ({ title, section, bytes, right }));

export const http2Cases: Http2Case[] = [
  {
    title: 'a preface that is none',
    section: '3.4',
    bytes: text('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n'),
    isWhole: true,
    right: connection('PROTOCOL_ERROR'),
  },
  {
    title: 'no SETTINGS after the preface',
    section: '3.4',
    bytes: all(PREFACE, request(1)),
    isWhole: true,
    right: connection('PROTOCOL_ERROR'),
  },
  ...of(
    '4.1',
    ['an unknown type of frame', frame(0x16, 0, 0, text('12345678')), ['ignored']],
    [
      'an unknown type of frame on a stream',
      all(post(), frame(0x16, 0, 1), frame(DATA, END_STREAM, 1)),
      ['200'],
    ],
    ['undefined flags', frame(PING, 0x16, 0, text('12345678')), ['ignored']],
    ['the reserved bit of the stream', frame(PING, 0, 0x80000000, text('12345678')), ['ignored']],
  ),
  ...of(
    '4.2',
    ['DATA of 16,384 bytes', all(post(), frame(DATA, END_STREAM, 1, Buffer.alloc(16_384))), ['200']],
    [
      'DATA of 16,385 bytes',
      all(post(), frame(DATA, END_STREAM, 1, Buffer.alloc(16_385))),
      stream('FRAME_SIZE_ERROR'),
    ],
    ['HEADERS of 16,385 bytes', headers(Buffer.alloc(16_385)), connection('FRAME_SIZE_ERROR')],
  ),
  ...of(
    '4.3',
    [
      'a header block that cannot be decoded',
      headers(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])),
      connection('COMPRESSION_ERROR'),
    ],
    ['an index that no table has', headers(Buffer.from([0xfe])), connection('COMPRESSION_ERROR')],
    [
      'a larger table than the server allows',
      headers(all(Buffer.from([0x3f, 0xe1, 0xff, 0x03]), requestBlock())),
      connection('COMPRESSION_ERROR'),
    ],
    [
      'PRIORITY inside a header block',
      all(headers(requestBlock(), END_STREAM), frame(PRIORITY, 0, 1, Buffer.alloc(5))),
      connection('PROTOCOL_ERROR'),
    ],
    [
      'HEADERS of another stream inside a header block',
      all(headers(requestBlock(), END_STREAM), request(3)),
      connection('PROTOCOL_ERROR'),
    ],
  ),
  ...of(
    '5.1',
    ['DATA on an idle stream', frame(DATA, END_STREAM, 1), connection('PROTOCOL_ERROR', 'STREAM_CLOSED')],
    ['RST_STREAM on an idle stream', frame(RST_STREAM, 0, 1, number(8)), connection('PROTOCOL_ERROR')],
    ['WINDOW_UPDATE on an idle stream', frame(WINDOW_UPDATE, 0, 1, number(1)), connection('PROTOCOL_ERROR')],
    ['CONTINUATION on an idle stream', frame(CONTINUATION, END_HEADERS, 1), connection('PROTOCOL_ERROR')],
    [
      'DATA after the end of the request',
      all(request(1), frame(DATA, END_STREAM, 1)),
      stream('STREAM_CLOSED'),
    ],
    ['HEADERS after the end of the request', all(request(1), request(1)), stream('STREAM_CLOSED')],
    [
      'DATA after the client has reset the stream',
      all(post(), frame(RST_STREAM, 0, 1, number(8)), frame(DATA, END_STREAM, 1)),
      ['ignored', ...stream('STREAM_CLOSED')],
    ],
    [
      'HEADERS after the client has reset the stream',
      all(post(), frame(RST_STREAM, 0, 1, number(8)), request(1)),
      ['ignored', ...stream('STREAM_CLOSED')],
    ],
    ['a stream with an even number', request(2), connection('PROTOCOL_ERROR')],
    [
      'a stream with a lower number than before',
      all(request(5), request(3)),
      connection('PROTOCOL_ERROR', 'STREAM_CLOSED'),
    ],
  ),
  ...of(
    '6.1',
    ['DATA on stream 0', frame(DATA, 0, 0), connection('PROTOCOL_ERROR')],
    [
      'DATA with more padding than content',
      all(post(), frame(DATA, END_STREAM | PADDED, 1, Buffer.from([6, 1, 2, 3, 4, 5]))),
      connection('PROTOCOL_ERROR'),
    ],
    [
      'DATA with padding',
      all(post(), frame(DATA, END_STREAM | PADDED, 1, Buffer.from([2, 1, 0, 0]))),
      ['200'],
    ],
  ),
  ...of(
    '6.2',
    ['HEADERS on stream 0', frame(HEADERS, rest, 0, requestBlock()), connection('PROTOCOL_ERROR')],
    [
      'HEADERS with more padding than content',
      headers(all(Buffer.from([200]), requestBlock()), rest | PADDED),
      connection('PROTOCOL_ERROR'),
    ],
  ),
  ...of(
    '6.3',
    ['PRIORITY on stream 0', frame(PRIORITY, 0, 0, Buffer.alloc(5)), connection('PROTOCOL_ERROR')],
    ['PRIORITY of 4 bytes', frame(PRIORITY, 0, 1, Buffer.alloc(4)), stream('FRAME_SIZE_ERROR')],
  ),
  ...of(
    '6.4',
    ['RST_STREAM on stream 0', frame(RST_STREAM, 0, 0, number(8)), connection('PROTOCOL_ERROR')],
    [
      'RST_STREAM of 3 bytes',
      all(post(), frame(RST_STREAM, 0, 1, Buffer.alloc(3))),
      connection('FRAME_SIZE_ERROR'),
    ],
  ),
  ...of(
    '6.5',
    [
      'SETTINGS with ACK and content',
      frame(SETTINGS, ACK, 0, setting(3, 100)),
      connection('FRAME_SIZE_ERROR'),
    ],
    ['SETTINGS on a stream', frame(SETTINGS, 0, 1, setting(3, 100)), connection('PROTOCOL_ERROR')],
    ['SETTINGS of 3 bytes', frame(SETTINGS, 0, 0, Buffer.alloc(3)), connection('FRAME_SIZE_ERROR')],
    [
      'ENABLE_PUSH that is neither 0 nor 1',
      frame(SETTINGS, 0, 0, setting(2, 2)),
      connection('PROTOCOL_ERROR'),
    ],
    [
      'INITIAL_WINDOW_SIZE of 2³¹',
      frame(SETTINGS, 0, 0, setting(4, 0x80000000)),
      connection('FLOW_CONTROL_ERROR'),
    ],
    ['MAX_FRAME_SIZE of 16,383', frame(SETTINGS, 0, 0, setting(5, 16_383)), connection('PROTOCOL_ERROR')],
    ['MAX_FRAME_SIZE of 2²⁴', frame(SETTINGS, 0, 0, setting(5, 1 << 24)), connection('PROTOCOL_ERROR')],
    ['an unknown setting', frame(SETTINGS, 0, 0, setting(0xff, 1)), ['ignored']],
  ),
  ...of('6.6', [
    'PUSH_PROMISE from a client',
    all(post(), frame(PUSH_PROMISE, END_HEADERS, 1, all(number(2), requestBlock()))),
    connection('PROTOCOL_ERROR'),
  ]),
  ...of(
    '6.7',
    ['PING', frame(PING, 0, 0, text('12345678')), ['ignored']],
    ['PING with ACK that nobody asked for', frame(PING, ACK, 0, text('12345678')), ['ignored']],
    ['PING on a stream', frame(PING, 0, 1, text('12345678')), connection('PROTOCOL_ERROR')],
    ['PING of 6 bytes', frame(PING, 0, 0, text('123456')), connection('FRAME_SIZE_ERROR')],
  ),
  ...of('6.8', ['GOAWAY on a stream', frame(GOAWAY, 0, 1, Buffer.alloc(8)), connection('PROTOCOL_ERROR')]),
  ...of(
    '6.9',
    ['WINDOW_UPDATE by 0', frame(WINDOW_UPDATE, 0, 0, number(0)), connection('PROTOCOL_ERROR')],
    [
      'WINDOW_UPDATE by 0 on a stream',
      all(post(), frame(WINDOW_UPDATE, 0, 1, number(0))),
      stream('PROTOCOL_ERROR'),
    ],
    ['WINDOW_UPDATE of 3 bytes', frame(WINDOW_UPDATE, 0, 0, Buffer.alloc(3)), connection('FRAME_SIZE_ERROR')],
    [
      'a window of more than 2³¹ - 1',
      frame(WINDOW_UPDATE, 0, 0, number(0x7fffffff)),
      connection('FLOW_CONTROL_ERROR'),
    ],
    [
      'a window of a stream of more than 2³¹ - 1',
      all(post(), frame(WINDOW_UPDATE, 0, 1, number(0x7fffffff))),
      stream('FLOW_CONTROL_ERROR'),
    ],
  ),
  ...of(
    '6.10',
    [
      'a header block in three frames',
      all(
        headers(requestBlock().subarray(0, 5), END_STREAM),
        frame(CONTINUATION, 0, 1, requestBlock().subarray(5, 9)),
        frame(CONTINUATION, END_HEADERS, 1, requestBlock().subarray(9)),
      ),
      ['200'],
    ],
    [
      'CONTINUATION after the end of the block',
      all(post(), frame(CONTINUATION, END_HEADERS, 1, literals({ a: 'b' }))),
      connection('PROTOCOL_ERROR'),
    ],
    [
      'CONTINUATION on stream 0',
      all(headers(requestBlock(), END_STREAM), frame(CONTINUATION, END_HEADERS, 0)),
      connection('PROTOCOL_ERROR'),
    ],
  ),
  ...of(
    '8.1',
    [
      'HEADERS twice, and the request does not end',
      all(post(), headers(literals({ a: 'b' }), END_HEADERS)),
      malformed,
    ],
    ['trailers', all(post(), headers(literals({ a: 'b' }))), ['200']],
    ['a pseudo-header in trailers', all(post(), headers(literals({ ':method': 'GET' }))), malformed],
    [
      'less content than Content-Length',
      all(post({ 'content-length': '5' }), frame(DATA, END_STREAM, 1, text('abc'))),
      malformed,
    ],
    [
      'more content than Content-Length',
      all(post({ 'content-length': '2' }), frame(DATA, END_STREAM, 1, text('abc'))),
      malformed,
    ],
    ['no content, but a Content-Length', headers(requestBlock('/', { 'content-length': '5' })), malformed],
  ),
  ...of(
    '8.2',
    ['a name in upper case', headers(requestBlock('/', { 'X-A': 'b' })), malformed],
    ['a name with a space', headers(requestBlock('/', { 'x a': 'b' })), malformed],
    ['a value with a line break', headers(requestBlock('/', { a: 'b\r\nc: d' })), malformed],
    ['a value with NUL', headers(requestBlock('/', { a: 'b\0' })), malformed],
    ['Connection', headers(requestBlock('/', { connection: 'keep-alive' })), malformed],
    ['Transfer-Encoding', headers(requestBlock('/', { 'transfer-encoding': 'chunked' })), malformed],
    ['TE other than trailers', headers(requestBlock('/', { te: 'gzip' })), malformed],
    ['TE: trailers', headers(requestBlock('/', { te: 'trailers' })), ['200']],
  ),
  ...of(
    '8.3',
    ['an unknown pseudo-header', headers(requestBlock('/', { ':a': 'b' })), malformed],
    ['a pseudo-header of responses', headers(requestBlock('/', { ':status': '200' })), malformed],
    ['a pseudo-header after others', headers(all(literals({ a: 'b' }), requestBlock())), malformed],
    ['no :method', without(':method'), malformed],
    ['no :scheme', without(':scheme'), malformed],
    ['no :path', without(':path'), malformed],
    ['an empty :path', headers(requestBlock('')), malformed],
    ['a relative :path', headers(requestBlock('a')), malformed],
    [':method twice', headers(all(literals({ ':method': 'GET' }), requestBlock())), malformed],
    [':path twice', headers(all(requestBlock(), literals({ ':path': '/' }))), malformed],
  ),
];

/** Sends a case to a server; returns what it did: the status, the error of the stream or connection, `closed` or `ignored`. */
async function outcomeOf(port: number, { bytes, isWhole = false }: Http2Case): Promise<string> {
  const session = new RawSession({ port });
  try {
    await session.send(...(isWhole ? [] : [OPENING]), bytes, request(LAST));
    await session.waitFor(({ type, stream: id }) => type === GOAWAY || (type === HEADERS && id === LAST));
    const { frames } = session;
    const ended = frames.find(({ type }) => type === GOAWAY);
    if (ended) return `GOAWAY ${CODES[ended.payload.readUInt32BE(4)]!}`;
    const reset = frames.find(({ type, stream: id }) => type === RST_STREAM && id !== LAST);
    if (reset) return `RST_STREAM ${CODES[reset.payload.readUInt32BE(0)]!}`;
    const response = frames.find(({ type, stream: id }) => type === HEADERS && id !== LAST);
    if (response) return statusOf(response.payload);
    return session.isClosed ? 'closed' : 'ignored';
  } finally {
    session.destroy();
  }
}

/** Decodes `:status`, which comes first: from the static table (RFC 7541, appendix A), or as a literal of three characters. */
function statusOf(block: Buffer): string {
  const indexed: Record<number, string> = { 0x88: '200', 0x89: '204', 0x8c: '400', 0x8d: '404', 0x8e: '500' };
  return indexed[block[0]!] ?? 'another status';
}

/** Sends all cases to a server, each on a connection of its own, and closes it. */
export async function http2Outcomes(server: Server): Promise<string[]> {
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session: ServerHttp2Session) => void sessions.push(session));
  const port = await portOf(server.listen(0, '127.0.0.1'));
  const outcomes = await Promise.all(http2Cases.map(one => outcomeOf(port, one)));
  server.close();
  for (const session of sessions) session.destroy();
  return outcomes;
}
