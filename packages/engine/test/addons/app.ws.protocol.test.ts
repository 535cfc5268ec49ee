// runs: each
/**
 * `app.ws`: RFC 6455 and 7692, frame by frame. Rows have the numbers of the cases of the Autobahn test suite that they cover; the
 * frames are written by hand.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, test } from 'node:test';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import web from 'ristretto';
import {
  BINARY,
  CLOSE,
  FIN,
  frame,
  PING,
  PONG,
  requestLines,
  TEXT,
  withSockets,
} from '../support/websocket.js';
import { words } from '../support/random.js';
import { until } from '../support/until.js';

/** What a client sends, and the frames that arrive. */
type Row = readonly [cases: string, sent: readonly Buffer[], received: readonly string[], how?: How];
/** Whether each part is written by itself, or each byte; by default, all is written at once. */
type How = 'parts' | 'bytes';

const RSV1 = 0x40;
const RSV2 = 0x20;
const RSV3 = 0x10;

const text = (payload: string | Buffer): Buffer => frame(FIN | TEXT, payload);
const binary = (payload: string | Buffer): Buffer => frame(FIN | BINARY, payload);
const ping = (payload: string | Buffer = ''): Buffer => frame(FIN | PING, payload);
const pong = (payload: string | Buffer = ''): Buffer => frame(FIN | PONG, payload);
/** The first part of a text, those in the middle, and the last. */
const begin = (payload: string | Buffer): Buffer => frame(TEXT, payload);
const middle = (payload: string | Buffer): Buffer => frame(0, payload);
const last = (payload: string | Buffer): Buffer => frame(FIN, payload);
const close = (code?: number, reason: string | Buffer = ''): Buffer => {
  if (code === undefined) return frame(FIN | CLOSE);
  return frame(
    FIN | CLOSE,
    Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason as string)]),
  );
};
const END = close(1000);
const ended = 'close 1000';
const VIOLATION = 'close 1002';
const INVALID = 'close 1007';

const hex = (digits: string): Buffer => Buffer.from(digits.replaceAll(' ', ''), 'hex');
/** A text in a fragment for each of its bytes. */
const byBytes = (payload: Buffer): Buffer[] => [
  begin(''),
  ...Array.from(payload, byte => middle(Buffer.from([byte]))),
  last(''),
];
const name = (kind: string, payload: Buffer): string =>
  `${kind} ${payload.length > 130 ? String(payload.length) : payload.toString('latin1')}`;
const texted = (payload: string | Buffer): string => name('text', Buffer.from(payload as string));

/** The kinds of frames, and their payload; a message of several frames is not expected of the server. */
function framesIn(bytes: Buffer): { kind: string; isCompressed: boolean; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at + 2 <= bytes.length;) {
    const short = bytes[at + 1]!;
    const wide = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length =
      wide === 0 ? short : wide === 2 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    const payload = bytes.subarray(at + 2 + wide, at + 2 + wide + length);
    if (payload.length < length) break;
    const kind =
      { [TEXT]: 'text', [BINARY]: 'binary', [CLOSE]: 'close', [PING]: 'ping', [PONG]: 'pong' }[
        bytes[at]! & 15
      ] ?? 'unknown';
    assert.equal(bytes[at]! & (FIN | RSV2 | RSV3), FIN, 'a whole message without reserved bits');
    frames.push({ kind, isCompressed: (bytes[at]! & RSV1) > 0, payload });
    at += 2 + wide + length;
  }
  return frames;
}

interface Options {
  how?: How | undefined;
  headers?: string[];
}

/** Opens a socket, sends bytes, and resolves with the response and the frames when the server has ended the connection. */
async function exchange(port: number, sent: readonly Buffer[], { how, headers = [] }: Options = {}) {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
  const pieces: Buffer[] = [];
  socket.on('error', () => undefined).on('data', piece => pieces.push(piece));
  const over = once(socket, 'close');
  socket.write([...requestLines('/', ...headers), '', ''].join('\r\n'));
  await until(() => Buffer.concat(pieces).includes('\r\n\r\n'));
  const all = Buffer.concat(sent);
  const parts =
    how === 'parts' ? sent : how === 'bytes' ? Array.from(all, byte => Buffer.from([byte])) : [all];
  for (const part of parts) {
    if (socket.destroyed) break;
    await new Promise(resolve => socket.write(part, resolve));
    if (how !== undefined) await new Promise(setImmediate);
  }
  await over;
  const bytes = Buffer.concat(pieces);
  const start = bytes.indexOf('\r\n\r\n') + 4;
  return { head: bytes.toString('latin1', 0, start), frames: framesIn(bytes.subarray(start)) };
}

const shown = ({ kind, payload }: { kind: string; payload: Buffer }): string =>
  kind === 'close'
    ? `close ${payload.length >= 2 ? String(payload.readUInt16BE(0)) : '-'}`
    : name(kind, payload);

const echo = (options: web.SocketOptions): ReturnType<typeof web> => {
  const app = web().set('env', 'test');
  const limits = { maxPayload: '4mb', maxConnectionsPerAddress: Infinity, maxBacklog: '64mb' };
  // The next ping of a heartbeat may fall into a sequence of frames
  app.ws(
    '/',
    { heartbeat: false, ...limits, ...options } as web.SocketOptions & { message?: undefined },
    socket => {
      socket.on('message', (data, isBinary) => {
        socket.send(data, { binary: isBinary });
      });
    },
  );
  return app;
};

const sizes = [0, 125, 126, 127, 128, 65_535, 65_536];
const framing: Row[] = (['text', 'binary'] as const).flatMap((kind, section) => {
  const create = kind === 'text' ? text : binary;
  const rows = sizes.map((size, index): Row => {
    const payload = Buffer.alloc(size, '*');
    return [`1.${section + 1}.${index + 1}`, [create(payload), END], [name(kind, payload), ended]];
  });
  const bytes = create(Buffer.alloc(65_536, '*'));
  const chops = Array.from({ length: Math.ceil(bytes.length / 997) }, (_, i) =>
    bytes.subarray(i * 997, (i + 1) * 997),
  );
  return [...rows, [`1.${section + 1}.8`, [...chops, END], [`${kind} 65536`, ended], 'parts']];
});

const full = 'p'.repeat(125);
const ten = Array.from({ length: 10 }, (_, i) => `payload-${i}`);
const pings: Row[] = [
  ['2.1', [ping(), END], ['pong ', ended]],
  ['2.2', [ping('hello'), END], ['pong hello', ended]],
  ['2.3', [ping(hex('00 ff fe fd 00')), END], ['pong \x00\xff\xfe\xfd\x00', ended]],
  ['2.4', [ping(full), END], [`pong ${full}`, ended]],
  ['2.5', [ping('p'.repeat(126))], [VIOLATION]],
  ['2.6', [ping(full), END], [`pong ${full}`, ended], 'bytes'],
  ['2.7', [pong(), END], [ended]],
  ['2.8', [pong('unsolicited'), END], [ended]],
  ['2.9', [pong('unsolicited'), ping('x'), END], ['pong x', ended]],
  ['2.10', [...ten.map(ping), END], [...ten.map(each => `pong ${each}`), ended]],
  ['2.11', [...ten.map(ping), END], [...ten.map(each => `pong ${each}`), ended], 'bytes'],
];

const reserved: Row[] = [
  ['3.1', [frame(FIN | RSV3 | TEXT, 'x')], [VIOLATION]],
  ['3.2', [text('a'), frame(FIN | RSV2 | TEXT, 'x'), ping()], ['text a', VIOLATION]],
  ['3.3', [text('a'), frame(FIN | RSV2 | RSV3 | TEXT, 'x'), ping()], ['text a', VIOLATION], 'parts'],
  ['3.4', [text('a'), frame(FIN | RSV1 | TEXT, 'x'), ping()], ['text a', VIOLATION], 'bytes'],
  ['3.5', [frame(FIN | RSV1 | RSV3 | BINARY, 'x')], [VIOLATION]],
  ['3.6', [frame(FIN | RSV1 | RSV2 | PING, 'x')], [VIOLATION]],
  ['3.7', [frame(FIN | RSV1 | RSV2 | RSV3 | CLOSE, '')], [VIOLATION]],
];

const opcodes: Row[] = [3, 4, 5, 6, 7, 11, 12, 13, 14, 15].flatMap((opcode, index): Row[] => {
  const number = index < 5 ? `4.1.${index + 1}` : `4.2.${index - 4}`;
  const wrong = frame(FIN | opcode, index % 2 === 0 ? '' : 'x');
  return [
    [number, [wrong], [VIOLATION]],
    [`${number}, after a message`, [text('a'), wrong, ping()], ['text a', VIOLATION], 'parts'],
  ];
});

const whole = 'text fragment1fragment2';
const halves = [begin('fragment1'), last('fragment2')] as const;
const aroundPing = [begin('fragment1'), ping('x'), last('fragment2'), END];
const strays = [middle('stray'), last('stray')];
const fragments: Row[] = [
  ['5.1', [frame(PING, 'a'), last('b')], [VIOLATION]],
  ['5.2', [frame(PONG, 'a'), last('b')], [VIOLATION]],
  ['5.3', [...halves, END], [whole, ended]],
  ['5.4', [...halves, END], [whole, ended], 'parts'],
  ['5.5', [...halves, END], [whole, ended], 'bytes'],
  ['5.6', aroundPing, ['pong x', whole, ended]],
  ['5.7', aroundPing, ['pong x', whole, ended], 'parts'],
  ['5.8', aroundPing, ['pong x', whole, ended], 'bytes'],
  ...(['9', '10', '11', '12', '13', '14'] as const).map((number, index): Row => {
    const how = [undefined, 'parts', 'bytes'][index % 3] as How | undefined;
    return [`5.${number}`, [strays[index < 3 ? 1 : 0]!, text('a')], [VIOLATION], how];
  }),
  ['5.15', [...halves, middle('x'), text('a')], [whole, VIOLATION]],
  ['5.16', [middle('x'), text('a'), last('b')], [VIOLATION]],
  ['5.17', [last('x'), text('a'), last('b')], [VIOLATION]],
  ['5.18', [begin('a'), text('b')], [VIOLATION]],
  ...(['5.19', '5.20'] as const).map((number): Row => {
    const sent = [begin('a'), middle('b'), ping('1'), middle('c'), middle('d'), ping('2'), last('e'), END];
    return [number, sent, ['pong 1', 'pong 2', 'text abcde', ended], number === '5.20' ? 'parts' : undefined];
  }),
];

const hello = Buffer.from('Hello-µ@ßöäüàá-UTF-8!!');
const kosme = hex('ce ba e1 bd b9 cf 83 ce bc ce b5');
const [edited, cut] = [Buffer.concat([kosme, hex('ed a0 80'), Buffer.from('edited')]), hex('f4 90 80 80')];
/** The cases of each section, in order. */
const numbered = (sections: Record<string, string>): [cases: string, payload: Buffer][] =>
  Object.entries(sections).flatMap(([section, all]) =>
    words(all).map((digits, index): [string, Buffer] => [`${section}.${index + 1}`, hex(digits)]),
  );
/** How much of a text has arrived: a text ends where a character does. */
const cuts = Array.from({ length: 10 }, (_, index) => kosme.subarray(0, index + 1));
const isWhole = (_: Buffer, index: number): boolean => [2, 5, 7, 9].includes(index + 1);
const ranges = (first: number, count: number): string =>
  Array.from({ length: count }, (_, index) => (first + index).toString(16))
    .join('20')
    .concat('20');
const valid = [
  ...numbered({
    '6.5': 'cebae1bdb9cf83cebcceb5',
    '6.7': '00 c280 e0a080 f0908080',
    '6.9': '7f dfbf efbfbf f48fbfbf',
    '6.11': 'ed9fbf ee8080 efbfbd f48fbfbf',
    '6.23': 'efbfbd',
  }),
  ...cuts.filter(isWhole).map((cut): [string, Buffer] => [`6.6.${cut.length}`, cut]),
  // The last two code points of each plane are no characters, but valid.
  ...Array.from({ length: 34 }, (_, index): [string, Buffer] => [
    `6.22.${index + 1}`,
    Buffer.from(String.fromCodePoint(((index >> 1) << 16) + 0xfffe + (index % 2))),
  ]),
];
const invalid = [
  ...numbered({
    '6.3': 'cebae1bdb9cf83cebcceb5eda080656469746564',
    '6.8': 'f888808080 fc8480808080',
    '6.10': 'f7bfbfbf fbbfbfbfbf fdbfbfbfbfbf',
    '6.11 (5)': 'f4908080',
    '6.12': '80 bf 80bf 80bf80',
    '6.13': [ranges(0xc0, 32), ranges(0xe0, 16), ranges(0xf0, 8), ranges(0xf8, 4), ranges(0xfc, 2)].join(' '),
    '6.14': 'c0 e080 f08080 f8808080 fc80808080 df efbf f7bfbf fbbfbfbf fdbfbfbfbf',
    '6.15': 'c0e080f08080f8808080fc80808080dfefbff7bfbffbbfbfbffdbfbfbfbf',
    '6.16': 'fe ff fefeffff',
    '6.17': 'c0af e080af f08080af f8808080af fc80808080af',
    '6.18': 'c1bf e09fbf f08fbfbf f887bfbfbf fc83bfbfbfbf',
    '6.19': 'c080 e08080 f0808080 f880808080 fc8080808080',
    '6.20': 'eda080 edadbf edae80 edafbf edb080 edbe80 edbfbf',
    '6.21': `eda080edb080 eda080edbfbf edadbfedb080 edadbfedbfbf
      edae80edb080 edae80edbfbf edafbfedb080 edafbfedbfbf`,
  }),
  ...cuts
    .filter((cut, index) => !isWhole(cut, index))
    .map((cut): [string, Buffer] => [`6.6.${cut.length}`, cut]),
  ['6.12.8', Buffer.from(Array.from({ length: 64 }, (_, i) => 0x80 + i))] as [string, Buffer],
];
const utf8: Row[] = [
  ['6.1.1', [text(''), END], ['text ', ended]],
  ['6.1.2', [begin(''), middle(''), last(''), END], ['text ', ended]],
  ['6.1.3', [begin(''), middle('middle'), last(''), END], ['text middle', ended]],
  ['6.2.1', [text(hello), END], [texted(hello), ended]],
  ['6.2.2', [begin(hello.subarray(0, 12)), last(hello.subarray(12)), END], [texted(hello), ended]],
  ['6.2.3', [...byBytes(hello), END], [texted(hello), ended]],
  ['6.2.4', [...byBytes(kosme), END], [texted(kosme), ended], 'parts'],
  ['6.3.2', byBytes(edited), [INVALID]],
  // Invalid text closes the socket when the message ends, not at its first invalid byte.
  ['6.4.1', [begin(kosme), middle(cut), last('edited')], [INVALID]],
  ['6.4.2', [begin(kosme), middle(cut.subarray(0, 2)), last(cut.subarray(2))], [INVALID], 'parts'],
  ['6.4.3', [text(Buffer.concat([kosme, cut, Buffer.from('edited')]))], [INVALID], 'bytes'],
  ...valid.map(([number, payload]): Row => [number, [text(payload), END], [texted(payload), ended]]),
  ...invalid.map(([number, payload]): Row => [number, [text(payload)], [INVALID]]),
];

const closing: Row[] = [
  ['7.1.1', [text('a'), END], ['text a', ended]],
  ['7.1.2', [END, END], [ended]],
  ['7.1.3', [END, ping()], [ended]],
  ['7.1.4', [END, text('a')], [ended]],
  ['7.1.5', [begin('a'), END, last('b')], [ended]],
  ['7.1.6', [text('x'.repeat(262_144)), END, ping()], ['text 262144', ended]],
  ['7.3.1', [close()], ['close -']],
  ['7.3.2', [frame(FIN | CLOSE, 'x')], [VIOLATION]],
  ['7.3.3', [close(1000)], [ended]],
  ['7.3.4', [close(1000, 'done')], [ended]],
  ['7.3.5', [close(1000, 'x'.repeat(123))], [ended]],
  ['7.3.6', [close(1000, 'x'.repeat(124))], [VIOLATION]],
  ['7.5.1', [close(1000, edited)], [INVALID]],
  ...[1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].map(
    (code, index): Row => [`7.7.${index + 1}`, [close(code)], [`close ${code}`]],
  ),
  ...[0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].map((code, index): Row => [
    `7.9.${index + 1}`,
    [close(code)],
    [VIOLATION],
  ]),
  ['7.13.1', [close(5000)], [VIOLATION]],
  ['7.13.2', [close(65_535)], [VIOLATION]],
];

const MIB = 1024 * 1024;
const inFragments = (first: number, size: number, of: number): Buffer[] => {
  const part = Buffer.alloc(of, '*');
  const count = size / of;
  return Array.from({ length: count }, (_, i) =>
    frame((i === 0 ? first : 0) | (i === count - 1 ? FIN : 0), part),
  );
};
const limits: Row[] = [
  ['9.1', [text(Buffer.alloc(4 * MIB, '*')), END], ['text 4194304', ended]],
  ['9.2', [binary(Buffer.alloc(4 * MIB, '*')), END], ['binary 4194304', ended]],
  ['9.3', [...inFragments(TEXT, MIB, 256), END], ['text 1048576', ended]],
  ['9.4', [...inFragments(BINARY, 4 * MIB, 65_536), END], ['binary 4194304', ended]],
  ...[0, 16, 64, 256].map((size, index): Row => {
    const payload = 'x'.repeat(size);
    const messages = Array.from({ length: 500 }, () => payload);
    return [`9.7.${index + 1}`, [...messages.map(text), END], [...messages.map(texted), ended]];
  }),
  ['10.1.1', [...inFragments(TEXT, 65_536, 4096), END], ['text 65536', ended]],
  ['over the limit', [binary(Buffer.alloc(4 * MIB + 1))], ['close 1009']],
];

/** Whether masks other than zeros are removed from payloads of each length, and frames without one refused. */
const masks: Row[] = [
  ...[0, 1, 2, 3, 4, 5, 7, 8, 9, 48, 125].map((size): Row => {
    const payload = Buffer.from(Array.from({ length: size }, (_, i) => 32 + (i % 90)));
    return [
      `a mask over ${size} bytes`,
      [frame(FIN | TEXT, payload, { mask: 0xa1_b2_c3_d4 }), END],
      [texted(payload), ended],
    ];
  }),
  ['no mask', [frame(FIN | TEXT, 'x', { mask: undefined })], [VIOLATION]],
];

const sections = {
  'framing (1)': framing,
  'pings and pongs (2)': pings,
  'reserved bits (3)': reserved,
  'opcodes (4)': opcodes,
  'fragmentation (5)': fragments,
  'UTF-8 (6)': utf8,
  'closing (7)': closing,
  'sizes (9 and 10)': limits,
  masks,
};

describe('app.ws, protocol', () => {
  for (const [section, rows] of Object.entries(sections)) {
    test(`${section}: each sequence of frames gets its replies and its close code`, async () => {
      await withSockets(echo({}), async port => {
        const seen = await Promise.all(
          rows.map(async ([cases, sent, , how]) => [
            cases,
            (await exchange(port, sent, { how })).frames.map(shown),
          ]),
        );
        assert.deepEqual(
          seen,
          rows.map(([cases, , received]) => [cases, received]),
        );
      });
    });
  }

  const offers = [
    ['12.1', '', ''],
    ['13.2', 'client_no_context_takeover', '; client_no_context_takeover'],
    ['13.3', 'server_no_context_takeover', '; server_no_context_takeover'],
    ['13.4', 'server_max_window_bits=9', '; server_max_window_bits=9'],
    ['13.5', 'client_max_window_bits', ''],
    [
      '13.6',
      'server_no_context_takeover; client_max_window_bits=15',
      '; server_no_context_takeover; client_max_window_bits=15',
    ],
  ] as const;
  for (const [cases, offer, accepted] of offers) {
    test(`compression (12 and 13): messages of all sizes return, offered with '${offer}'`, async () => {
      await withSockets(echo({ compression: { threshold: 0 } }), async port => {
        const payloads = sizes.map(size => Buffer.alloc(size, 'compress me '));
        const compressed = payloads.map(payload => compress(payload));
        const whole = compressed.map((payload, i) =>
          frame(FIN | RSV1 | (i % 2 === 0 ? TEXT : BINARY), payload),
        );
        const split = compressed.flatMap(payload => [
          frame(RSV1 | TEXT, payload.subarray(0, 1)),
          ping('x'),
          last(payload.subarray(1)),
        ]);
        const { head, frames } = await exchange(port, [...whole, ...split, END], {
          headers: [`Sec-WebSocket-Extensions: permessage-deflate${offer && `; ${offer}`}`],
        });
        assert.match(
          head,
          new RegExp(`Sec-WebSocket-Extensions: permessage-deflate${accepted}\\r\\n`),
          cases,
        );
        const messages = frames.filter(({ isCompressed }) => isCompressed).map(({ payload }) => payload);
        assert.deepEqual(decompress(messages, offer.includes('server_no_context')), [
          ...payloads,
          ...payloads,
        ]);
        assert.deepEqual(frames.filter(({ kind }) => kind === 'pong').length, payloads.length);
        assert.equal(shown(frames.at(-1)!), ended);
      });
    });
  }

  test('compression: data that is not DEFLATE, or is compressed twice, closes the socket', async () => {
    await withSockets(echo({ compression: { threshold: 0 } }), async port => {
      const headers = ['Sec-WebSocket-Extensions: permessage-deflate'];
      const rows: [Buffer[], string][] = [
        [[frame(FIN | RSV1 | TEXT, hex('ff ff ff ff'))], INVALID],
        [[frame(FIN | RSV1 | TEXT, compress(hex('ce ff')))], INVALID],
        [[frame(RSV1 | TEXT, 'x'), frame(FIN | RSV1, 'y')], VIOLATION],
        [[frame(FIN | RSV1 | PING, 'x')], VIOLATION],
        [[frame(FIN | RSV1 | TEXT, compress(Buffer.alloc(5 * MIB)))], 'close 1009'],
      ];
      for (const [sent, code] of rows) {
        const { frames } = await exchange(port, sent, { headers });
        assert.deepEqual(frames.map(shown), [code]);
      }
    });
  });
});

/** A message as RFC 7692 has it: without the last four bytes of a flush. */
function compress(payload: Buffer): Buffer {
  const bytes = deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH });
  return bytes.subarray(0, -4);
}

/** Each message; unless each has a context of its own, they refer to earlier ones. */
function decompress(messages: readonly Buffer[], isEachAlone: boolean): Buffer[] {
  const tail = hex('00 00 ff ff');
  const read = (...parts: Buffer[]): Buffer =>
    inflateRawSync(Buffer.concat(parts.flatMap(part => [part, tail])), {
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  if (isEachAlone) return messages.map(message => read(message));
  let before = 0;
  return messages.map((_, index) => {
    const all = read(...messages.slice(0, index + 1));
    const message = all.subarray(before);
    before = all.length;
    return message;
  });
}
