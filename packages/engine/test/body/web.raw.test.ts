// runs: each
/** `web.raw`: reads bodies into a Buffer without changing a byte. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { post, reporting, testCommonOptions } from '../support/body-parsers.js';
import { same } from '../support/oracle.js';

const RAW_TYPE = 'application/octet-stream';
const raw = reporting(web => web.raw());

describe('web.raw', () => {
  testCommonOptions({
    member: 'raw',
    type: RAW_TYPE,
    body: 'user=tobi',
    parsed: { hex: Buffer.from('user=tobi').toString('hex') },
  });

  test('body: every byte is kept', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const answer = await same(raw, post(RAW_TYPE, bytes));
    assert.equal(JSON.parse(answer.text).body.hex, bytes.toString('hex'));
  });

  test('empty body: becomes an empty Buffer', async () => {
    assert.deepEqual(JSON.parse((await same(raw, post(RAW_TYPE, ''))).text).body, { hex: '' });
  });

  test('charset: is ignored, even for verify', async () => {
    let charset: unknown;
    const verify = (_req: unknown, _res: unknown, _bytes: Buffer, encoding: unknown): void => {
      charset = encoding;
    };
    const answer = await same(
      reporting(web => web.raw({ verify })),
      post(`${RAW_TYPE}; charset=foo`, '\ufeffa'),
    );
    assert.equal(JSON.parse(answer.text).body.hex, 'efbbbf61');
    assert.equal(charset, null);
  });
});
