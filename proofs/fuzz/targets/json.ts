/** JSON bodies in any charset and coding: parsed as by JSON.parse, or rejected with a 4xx error. */
import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import web from 'ristretto';
import { bodyOf, partsOf } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const LIMIT = 1200;
const strict = web.json({ limit: LIMIT });
const loose = web.json({ limit: LIMIT, strict: false });
const CODINGS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: bytes => zlib.gzipSync(bytes, { level: 1 }),
  deflate: bytes => zlib.deflateSync(bytes, { level: 1 }),
};

/** Returns the result of TextDecoder and JSON.parse; undefined if they reject the bytes. */
function reference(bytes: Buffer, isStrict: boolean): { value: unknown } | undefined {
  const text = new TextDecoder('utf-8').decode(bytes);
  if (text === '') return { value: {} };
  if (isStrict && !/^[ \t\n\r]*[[{]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

export const target: Target = {
  seeds: [
    ...['\n\n{"a":1}', 'utf-8\n\n[1,"\u00e9"]', 'utf-16le\n\n{\0}\0', 'utf-16\n\n\xfe\xff\0{\0}'],
    ...['utf-32be\n\n\0\0\0{\0\0\0}', 'utf-7\n\n{"a":"+AOk-"}', '\ngzip\n{"a":[]}', '\nidentity\n"x"'],
    ...['\nbr\n\x0b\x02\x80{"a":1}\x03', '\n\n{"__proto__":{"a":1}}', 'iso-8859-1\n\n{}'],
  ],
  dictionary: [
    ...words(`{ } [ ] : , " "a" true null 1e999 -0 "__proto__" utf-16 utf-32 utf-7 utf-7-imap
      utf-8 gzip deflate br`),
    ...['\\u0000', '\\ud800', '\xef\xbb\xbf', '\xff\xfe', '\n', '\x1f\x8b'],
  ],
  async run(text) {
    const [charset = '', coding = '', ...rest] = partsOf(text, 3);
    const bytes = Buffer.from(text.slice(charset.length + coding.length + 2) || rest.join(''), 'latin1');
    const headers: Record<string, string> = {
      'content-type': `application/json${charset && `; charset=${charset}`}`,
    };
    if (coding) headers['content-encoding'] = coding;
    const sent = Object.hasOwn(CODINGS, coding) ? CODINGS[coding]!(bytes) : bytes;
    for (const [parser, isStrict] of [
      [strict, true],
      [loose, false],
    ] as const) {
      const { error, body } = await bodyOf(parser as never, sent, headers);
      if (error)
        assert.ok(error.status >= 400 && error.status < 500 && error.type !== '', String(error.stack));
      if ((charset !== '' && charset !== 'utf-8') || (coding !== '' && !Object.hasOwn(CODINGS, coding)))
        continue;
      const expected = bytes.length > LIMIT || sent.length > LIMIT ? undefined : reference(bytes, isStrict);
      if (!expected) assert.ok(error?.status === 400 || error?.status === 413, 'parsed what is no JSON');
      else assert.deepEqual(body, expected.value);
    }
  },
};
