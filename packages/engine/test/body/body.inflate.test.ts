// runs: each
/** Content codings of request bodies, including hostile input. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import zlib from 'node:zlib';
import { post, reporting } from '../support/body-parsers.js';
import { ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';

const TEXT = 'text/plain';
const text = reporting(web => web.text());
const gzip = { 'Content-Encoding': 'gzip' };

describe('body.inflate', () => {
  test('br: is decompressed, unlike in body-parser 1.20', async () => {
    for (const coding of ['br', 'BR']) {
      const request = post(TEXT, zlib.brotliCompressSync('hello'), { 'Content-Encoding': coding });
      const answer = await ask(text(frameworks.ristretto), request);
      assert.deepEqual(JSON.parse(answer.text), { body: 'hello', _body: true });
    }
    const garbage = post(TEXT, 'garbage!', { 'Content-Encoding': 'br' });
    assert.equal((await ask(text(frameworks.ristretto), garbage)).status, 400);
  });

  test('error encoding.unsupported: responds with 415 to other encodings', async () => {
    for (const coding of ['FOO', 'x-gzip', 'compress', 'x-zstd']) {
      const answer = await same(text, post(TEXT, 'abc', { 'Content-Encoding': coding }));
      const { status, type, encoding } = JSON.parse(answer.text);
      assert.deepEqual([status, type, encoding], [415, 'encoding.unsupported', coding.toLowerCase()]);
    }
  });

  test('CVE-2026-22036: responds with 415 to a list of encodings', async () => {
    for (const coding of ['gzip, gzip', 'gzip,gzip', 'identity, gzip', 'gzip, '.repeat(500) + 'gzip']) {
      const answer = await same(text, post(TEXT, zlib.gzipSync('abc'), { 'Content-Encoding': coding }));
      assert.equal(answer.status, 415);
    }
  });

  test('malformed: responds with 400 and the code of zlib', async () => {
    const good = zlib.gzipSync('some text to deflate');
    for (const [coding, bytes, code] of [
      ['gzip', Buffer.from('garbage!'), 'Z_DATA_ERROR'],
      ['gzip', good.subarray(0, 15), 'Z_BUF_ERROR'],
      ['gzip', Buffer.alloc(0), 'Z_BUF_ERROR'],
      ['gzip', Buffer.concat([good, Buffer.from('xxxx')]), 'Z_DATA_ERROR'],
      ['deflate', zlib.deflateRawSync('abc'), 'Z_DATA_ERROR'],
      ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6]), 'Z_DATA_ERROR'],
    ] as [string, Buffer, string][]) {
      const answer = await same(text, post(TEXT, bytes, { 'Content-Encoding': coding }));
      assert.deepEqual([answer.status, JSON.parse(answer.text).code], [400, code]);
    }
  });

  test('several gzip members: are parsed as one body', async () => {
    const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]);
    assert.equal(JSON.parse((await same(text, post(TEXT, members, gzip))).text).body, 'one two');
  });

  test('limit: applies to decompressed bytes, which may be fewer than received', async () => {
    const build = reporting(web => web.text({ limit: 3 }));
    assert.equal((await same(build, post(TEXT, zlib.gzipSync('abc'), gzip))).status, 200);
  });

  test('zip bomb: decompression stops within 64 KiB over the limit', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(20_000_000));
    const limit = 100_000;
    const build = reporting(web => web.text({ limit }));
    const answer = await ask(build(frameworks.ristretto), post(TEXT, bomb, gzip));
    const { status, received } = JSON.parse(answer.text);
    assert.equal(status, 413);
    assert.ok(received > limit && received <= limit + 65_536, String(received));
  });

  test('zip bomb: decompression of brotli stops within 64 KiB over the limit', async () => {
    const bomb = zlib.brotliCompressSync(Buffer.alloc(20_000_000), {
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 },
    });
    const request = post(TEXT, bomb, { 'Content-Encoding': 'br' });
    const { status, received } = JSON.parse((await ask(text(frameworks.ristretto), request)).text);
    assert.equal(status, 413);
    assert.ok(received <= 102_400 + 65_536);
  });

  test('CVE-2026-111181: an abandoned decoder emits no errors, and the process keeps running', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): number => unhandled.push(error);
    process.on('uncaughtException', note);
    try {
      const broken = Buffer.concat([
        zlib.gzipSync('x'.repeat(100_000)).subarray(0, 60),
        Buffer.alloc(50_000, 0xff),
      ]);
      for (const [type, limit] of [
        [`${TEXT}; charset=foo`, 1e6],
        [TEXT, 10],
        [TEXT, 1e6],
      ] as [string, number][]) {
        const build = reporting(web => web.text({ limit }));
        const answer = await ask(build(frameworks.ristretto), post(type, broken, gzip));
        assert.ok(answer.status >= 400);
      }
      await new Promise(resolve => setImmediate(resolve));
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('uncaughtException', note);
    }
  });
});
