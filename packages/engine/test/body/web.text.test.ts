// runs: each
/** `web.text`: decodes text bodies from the charsets that Express supports. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { post, reporting, testCommonOptions } from '../support/body-parsers.js';
import { ask } from '../support/http.js';
import { frameworks, same } from '../support/oracle.js';

const TEXT_TYPE = 'text/plain';

async function textOf(body: string | Buffer, type: string, options: object = {}): Promise<string> {
  const answer = await same(
    reporting(web => web.text(options)),
    post(type, body),
  );
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text).body;
}

describe('web.text', () => {
  testCommonOptions({ member: 'text', type: TEXT_TYPE, body: 'user is tobi', parsed: 'user is tobi' });

  test('empty body: becomes an empty string', async () => {
    assert.equal(await textOf('', TEXT_TYPE), '');
  });

  test('defaultCharset: is utf-8 by default', async () => {
    assert.equal(await textOf('héé', TEXT_TYPE), 'héé');
    assert.equal(await textOf(Buffer.from([0xe9]), TEXT_TYPE, { defaultCharset: 'iso-8859-1' }), 'é');
    assert.equal(await textOf(Buffer.from([0xc1]), TEXT_TYPE, { defaultCharset: 'KOI8-R' }), 'а');
    assert.equal(await textOf('é', TEXT_TYPE, { defaultCharset: 'UTF-8' }), 'é');
    for (const defaultCharset of [null, '', undefined]) {
      assert.equal(await textOf('é', TEXT_TYPE, { defaultCharset }), 'é');
    }
  });

  test('defaultCharset: also applies if the parameter is empty or Content-Type is malformed', async () => {
    const bytes = Buffer.from([0xe9]);
    assert.equal(await textOf(bytes, `${TEXT_TYPE}; charset=""`, { defaultCharset: 'latin1' }), 'é');
    const options = { defaultCharset: 'latin1', type: () => true };
    assert.equal(await textOf(bytes, `${TEXT_TYPE}; charset=KOI8-R; foo`, options), 'é');
  });

  test('defaultCharset: an unknown charset is a 415; a value that is not a string throws when the parser is created', async () => {
    const answer = await same(
      reporting(web => web.text({ defaultCharset: 'foo' })),
      post(TEXT_TYPE, 'a'),
    );
    assert.equal(answer.status, 415);
    assert.throws(() => frameworks.ristretto.text({ defaultCharset: 5 as never }), {
      name: 'TypeError',
      message: 'option defaultCharset must be a string, not "5"',
    });
  });

  test('defaultCharset: is passed to verify unchanged, while the request’s charset is in lower case', async () => {
    const seen: unknown[] = [];
    const verify = (_req: unknown, _res: unknown, _bytes: Buffer, encoding: unknown): void => {
      seen.push(encoding);
    };
    await textOf('a', TEXT_TYPE, { verify, defaultCharset: 'KOI8-R' });
    await textOf('a', `${TEXT_TYPE}; charset=KOI8-R`, { verify });
    assert.deepEqual(seen, ['KOI8-R', 'KOI8-R', 'koi8-r', 'koi8-r']);
  });

  test('charset: legacy charsets are decoded as in Express', async () => {
    const bytes = Buffer.from('61e9e8d0b1c1a4b5f0203132', 'hex');
    for (const charset of [
      ...[
        'utf8',
        'latin1',
        'us-ascii',
        'binary',
        'windows-1252',
        'cp1251',
        'koi8-r',
        'iso-8859-15',
        'macroman',
      ],
      ...['shift_jis', 'euc-jp', 'big5', 'gbk', 'gb18030', 'euc-kr', 'utf-7', 'cesu-8', 'ucs2', 'utf-16be'],
    ]) {
      assert.ok(await textOf(bytes, `${TEXT_TYPE}; charset=${charset}`), charset);
    }
  });

  test('charset: an unknown charset is a 415', async () => {
    for (const charset of ['foo', 'utf-9', '__proto__', 'toString', 'internal', 'null']) {
      const answer = await same(
        reporting(web => web.text()),
        post(`${TEXT_TYPE}; charset=${charset}`, 'abc'),
      );
      assert.equal(answer.status, 415, charset);
      assert.equal(JSON.parse(answer.text).charset, charset.toLowerCase());
    }
    const own = await ask(
      reporting(web => web.text())(frameworks.ristretto),
      post(`${TEXT_TYPE}; charset=constructor`, 'abc'),
    );
    assert.equal(own.status, 415);
  });

  test('charset: UTF-32 is decoded in both byte orders, with and without a byte order mark', async () => {
    const parse = reporting(web => web.text())(frameworks.ristretto);
    for (const [charset, hex] of [
      ['utf-32le', '6100000000f60100'],
      ['utf-32be', '000000610001f600'],
      ['utf-32', 'fffe00006100000000f60100'],
      ['utf-32', '0000feff000000610001f600'],
      ['utf-32', '6100000000f60100'],
    ] as [string, string][]) {
      const answer = await ask(parse, post(`${TEXT_TYPE}; charset=${charset}`, Buffer.from(hex, 'hex')));
      assert.equal(JSON.parse(answer.text).body, 'a😀', charset + hex);
    }
  });

  test('charset: invalid bytes become U+FFFD, and one byte order mark at the start is removed', async () => {
    assert.equal(await textOf(Buffer.from('61ffc3e282', 'hex'), TEXT_TYPE), 'a\ufffd\ufffd\ufffd');
    assert.equal(await textOf(Buffer.from('efbbbfefbbbf61', 'hex'), TEXT_TYPE), '\ufeffa');
    assert.equal(await textOf(Buffer.from('efbb', 'hex'), TEXT_TYPE), '\ufffd');
    assert.equal(await textOf(Buffer.from('fffe', 'hex'), `${TEXT_TYPE}; charset=utf-16`), '');
  });
});
