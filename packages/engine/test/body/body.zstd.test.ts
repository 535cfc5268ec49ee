// runs: each
/** Request bodies with the content coding zstd, on Node versions with and without support for it. */
import assert from 'node:assert/strict';
import { Transform } from 'node:stream';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { ofWholeFrames } from '@ristretto/private-engine/lib/body/zstd';
import { Random } from '../support/random.js';
import { chunked, post, reporting } from '../support/body-parsers.js';
import { ask } from '../support/http.js';
import type { Answer } from '../support/http.js';
import { frameworks } from '../support/oracle.js';

const TEXT = 'text/plain';

interface Zstd {
  createZstdDecompress?: unknown;
  zstdCompressSync: (data: string | Buffer, options?: object) => Buffer;
  constants: Record<string, number>;
}
const { createZstdDecompress, zstdCompressSync, constants } = zlib as unknown as Zstd;
const skip = createZstdDecompress === undefined;

/** `hello` in one frame with a checksum. */
const HELLO = Buffer.from('28b52ffd240529000068656c6c6fa36d9f88', 'hex');

/** A three-byte skippable frame, which decoders ignore. */
const SKIPPABLE = Buffer.from('532a4d1803000000010203', 'hex');

const parse = (body: Buffer, options = {}, type = TEXT): Promise<Answer> =>
  ask(
    reporting(web => web.text(options))(frameworks.ristretto),
    post(type, body, { 'Content-Encoding': 'zstd' }),
  );

/** Feeds these chunks to a pass-through decoder; resolves with its output, or with its error code. */
function follow(pieces: Buffer[]): Promise<string> {
  return new Promise(resolve => {
    const decoder = ofWholeFrames(
      new Transform({
        transform(chunk, _encoding, done) {
          this.push(chunk);
          done();
        },
        flush: done => done(),
      }),
    );
    const bytes: Buffer[] = [];
    decoder.on('data', (chunk: Buffer) => bytes.push(chunk));
    decoder.on('end', () => resolve(Buffer.concat(bytes).toString('hex')));
    decoder.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
    for (const piece of pieces) decoder.write(piece);
    decoder.end();
  });
}

/** Builds a frame of these blocks, each `[type, content]`. */
function frameOf(
  descriptor: number,
  header: number,
  blocks: [number, number, number][],
  checksum = 0,
): Buffer {
  const parts = blocks.map(([type, size, length], at) => {
    const head = Buffer.alloc(3 + length, 7);
    head.writeUIntLE(size * 8 + type * 2 + (at === blocks.length - 1 ? 1 : 0), 0, 3);
    return head;
  });
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor]),
    Buffer.alloc(header),
    ...parts,
    Buffer.alloc(checksum),
  ]);
}

describe('body.inflate', () => {
  test('zstd: is decompressed if Node supports it, otherwise 415', async () => {
    const { status, text } = await parse(HELLO);
    if (skip) assert.deepEqual([status, JSON.parse(text).type], [415, 'encoding.unsupported']);
    else assert.deepEqual(JSON.parse(text), { body: 'hello', _body: true });
  });

  test('zstd: decompresses bodies of any size, in chunks of any size', { skip }, async () => {
    for (const size of [0, 1, 100, 100_000, 1_000_000]) {
      const text = Array.from({ length: size }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join(
        '',
      );
      const app = reporting(web => web.text({ limit: '2mb' }))(frameworks.ristretto);
      const headers = { 'Content-Encoding': 'zstd' };
      const whole = await ask(app, post(TEXT, zstdCompressSync(text), headers));
      assert.equal((JSON.parse(whole.text) as { body: unknown }).body, text);
      const inPieces = { ...headers, 'Transfer-Encoding': 'chunked' };
      const body = chunked(zstdCompressSync(text), 1 + (size % 97));
      const pieces = await ask(app, { ...post(TEXT, '', inPieces), body });
      assert.equal((JSON.parse(pieces.text) as { body: unknown }).body, text);
    }
  });

  test(
    'zstd: responds with 400 to a body that is truncated, followed by other data, or not zstd',
    { skip },
    async () => {
      const good = zstdCompressSync('some text to compress');
      for (const [bytes, code] of [
        [Buffer.from('garbage!'), 'Z_DATA_ERROR'],
        [good.subarray(0, -1), 'Z_BUF_ERROR'],
        [good.subarray(0, 15), 'Z_BUF_ERROR'],
        [Buffer.alloc(0), 'Z_BUF_ERROR'],
        [Buffer.concat([good, Buffer.from('xxxx')]), 'Z_DATA_ERROR'],
        [Buffer.concat([good, good.subarray(0, -1)]), 'Z_BUF_ERROR'],
      ] as const) {
        const answer = await parse(bytes);
        assert.deepEqual([answer.status, JSON.parse(answer.text).code], [400, code]);
      }
    },
  );

  test('zip bomb: zstd is rejected by size and by window', { skip }, async () => {
    const { status, text } = await parse(zstdCompressSync(Buffer.alloc(20_000_000)));
    const { received } = JSON.parse(text) as { received: number };
    assert.equal(status, 413);
    assert.ok(received <= 102_400 + 65_536, String(received));
    // A window of 128 MiB, which a decoder would have to hold in memory; RFC 9659 allows less
    const wide = frameOf(0, 0, []);
    const window = Buffer.concat([wide, Buffer.from([17 << 3, 0x29, 0, 0]), Buffer.from('hello')]);
    const answer = await parse(window);
    assert.deepEqual(
      [answer.status, JSON.parse(answer.text).code],
      [400, 'ZSTD_error_frameParameter_windowTooLarge'],
    );
  });

  test(
    'zstd: several frames, as Node writes them when flushing, are parsed as one body',
    { skip },
    async () => {
      const [one, two] = [zstdCompressSync('one '), zstdCompressSync('two')];
      for (const frames of [
        [one, two],
        [one, SKIPPABLE, two],
        [SKIPPABLE, one, two, SKIPPABLE],
      ]) {
        const { text } = await parse(Buffer.concat(frames));
        assert.equal((JSON.parse(text) as { body: unknown }).body, 'one two');
      }
    },
  );

  test('zstd: responds with 400 to more than a thousand frames, because even empty ones take time', async () => {
    const frames = (count: number): Promise<string> =>
      follow([Buffer.alloc(count * SKIPPABLE.length, SKIPPABLE)]);
    assert.equal((await frames(1000)).length, 2 * 1000 * SKIPPABLE.length);
    assert.equal(await frames(1001), 'Z_DATA_ERROR');
  });

  test('zstd: responds with 415 if inflate is false', async () => {
    assert.equal((await parse(HELLO, { inflate: false })).status, 415);
  });

  test('zstd: follows a frame to its end, in chunks of any size', async () => {
    const frames = [
      HELLO,
      frameOf(0b0010_0000, 1, [[0, 3, 3]]),
      frameOf(0b0000_0000, 1, [[0, 0, 0]]),
      frameOf(
        0b0110_0101,
        2 + 1,
        [
          [0, 2, 2],
          [1, 70_000, 1],
          [2, 5, 5],
        ],
        4,
      ),
      frameOf(0b1000_0010, 1 + 4 + 2, [[0, 70_000, 70_000]]),
      frameOf(0b1100_0011, 1 + 8 + 4, [[1, 9, 1]]),
    ];
    const random = new Random(1);
    for (const frame of frames) {
      const hex = frame.toString('hex');
      assert.equal(await follow([frame]), hex);
      const pieces: Buffer[] = [];
      for (let at = 0; at < frame.length;) {
        const size = random.between(1, frame.length > 100 ? 9000 : 4);
        pieces.push(frame.subarray(at, (at += size)));
      }
      assert.equal(await follow(pieces), hex);
      for (const cut of [0, 1, 4, 5, 6, 8, frame.length - 1])
        assert.equal(await follow([frame.subarray(0, cut)]), 'Z_BUF_ERROR', `${hex} to ${String(cut)}`);
      assert.equal(await follow([frame, Buffer.alloc(1)]), 'Z_BUF_ERROR');
      assert.equal(await follow([Buffer.concat([frame, Buffer.alloc(4)])]), 'Z_DATA_ERROR');
      for (const between of [Buffer.alloc(0), SKIPPABLE, frameOf(0, 1, [[0, 0, 0]])]) {
        const several = Buffer.concat([between, frame, between, frame, between]);
        assert.equal(await follow([several]), several.toString('hex'));
        assert.equal(await follow([several, frame.subarray(0, -1)]), 'Z_BUF_ERROR');
      }
    }
    assert.equal(await follow([frameOf(0, 1, [[3, 1, 1]])]), 'Z_DATA_ERROR');
  });

  test('zstd: a decoder error in the first of several frames becomes the error of the body', async () => {
    const failing = ofWholeFrames(
      new Transform({ transform: (_chunk, _encoding, done) => done(new Error('first')) }),
    );
    const error = await new Promise(resolve => {
      failing.on('error', resolve).write(Buffer.concat([SKIPPABLE, SKIPPABLE]));
    });
    assert.equal((error as Error).message, 'first');
  });

  test('zstd: follows what Node compresses to its end', { skip }, async () => {
    for (const size of [0, 1, 255, 256, 65_791, 300_000]) {
      for (const flag of [0, 1]) {
        const params = { [constants.ZSTD_c_checksumFlag!]: flag, [constants.ZSTD_c_contentSizeFlag!]: flag };
        const frame = zstdCompressSync(Buffer.alloc(size, 'abc'), { params });
        assert.equal(await follow([frame]), frame.toString('hex'));
      }
    }
  });
});
