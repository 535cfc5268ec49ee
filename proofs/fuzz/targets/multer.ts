/**
 * Forms of `@ristretto/multer`: the same parts however the bytes are split, those of busboy where both accept the form, and
 * names that create only plain objects.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Writable } from 'node:stream';
import { MultipartParser } from '@ristretto/private-engine/lib/multipart';
import { addField, parseFieldName } from '@ristretto/multer/lib/field-part';
import { MALFORMED, LEFT_OUT, readPartHeader } from '@ristretto/multer/lib/part-header';
import type { PartHeader } from '@ristretto/multer/lib/part-header';
import { assertSame } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

interface Info {
  filename?: string;
  encoding: string;
  mimeType: string;
}
/** busboy has no types, and is not a direct dependency: multer installs it. */
type Busboy = (config: { headers: Record<string, string>; defCharset: string }) => Writable & {
  on(event: 'field', listener: (name: string | undefined, value: string, info: Info) => void): unknown;
  on(
    event: 'file',
    listener: (name: string | undefined, stream: NodeJS.ReadableStream, info: Info) => void,
  ): unknown;
};
const busboy = createRequire(createRequire(__filename).resolve('multer'))('busboy') as Busboy;

interface Part {
  name: string | undefined;
  filename: string | undefined;
  mimetype: string;
  encoding: string;
  content: string;
}

const CRLF = '\r\n';
const part = (head: string, body: string): string =>
  `--b${CRLF}Content-Disposition: form-data; ${head}${CRLF}${CRLF}${body}${CRLF}`;
const options = { decodeName: undefined, preservePath: false };

/** Returns the parts in chunks of this size; undefined for a malformed form. */
function ours(bytes: Buffer, size: number): { parts: Part[]; isStray: boolean } | undefined {
  const parts: Part[] = [];
  let current: Part | undefined;
  let isMalformed = false;
  let isStray = false;
  const parser: MultipartParser = new MultipartParser('b', {
    onHeader(header, start, end) {
      const read = readPartHeader(header.toString('latin1', start, end), options);
      current = undefined;
      if (read === MALFORMED) {
        isMalformed = true;
        parser.stop();
      } else if (read !== LEFT_OUT) {
        const { name, filename, mimetype, encoding } = read satisfies PartHeader;
        parts.push((current = { name, filename, mimetype, encoding, content: '' }));
      }
    },
    onData(data, start, end) {
      assert.ok(end > start);
      if (current !== undefined) current.content += data.toString('latin1', start, end);
    },
    onEnd() {
      current = undefined;
    },
    onStray() {
      isStray = true;
    },
    onBadHeader() {
      isMalformed = true;
    },
  });
  for (let at = 0; at < bytes.length; at += size) parser.write(bytes.subarray(at, at + size));
  return isMalformed || !parser.isComplete ? undefined : { parts, isStray };
}

/** Returns the parts that busboy finds; undefined for a malformed form. */
function theirs(bytes: Buffer): Promise<Part[] | undefined> {
  return new Promise(resolve => {
    const parts: Part[] = [];
    const add = (name: string | undefined, info: Info, content: string): Part => {
      const { filename, mimeType: mimetype, encoding } = info;
      const each = { name, filename, mimetype, encoding, content };
      parts.push(each);
      return each;
    };
    const parser = busboy({
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      defCharset: 'latin1',
    });
    parser.on(
      'field',
      (name, value, info) => void add(name, info, Buffer.from(value, 'latin1').toString('latin1')),
    );
    parser.on('file', (name, stream, info) => {
      const each = add(name, info, '');
      stream.on('data', (piece: Buffer) => (each.content += piece.toString('latin1')));
      stream.on('error', () => undefined);
    });
    parser.on('error', () => resolve(undefined));
    parser.on('close', () => resolve(parts));
    parser.end(bytes);
  });
}

export const target: Target = {
  maxLength: 1024,
  limit: 60,
  seeds: [
    `${part('name="a"', '1')}${part('name="b"; filename="x.txt"', 'data')}--b--${CRLF}`,
    `${part("name=a; filename*=utf-8''%e2%82%ac.txt", '')}--b--`,
    `preamble${CRLF}${part('name="a[b][]"', 'x\r\n--bx\r\n-')}--b--epilogue`,
    `${part('name="__proto__"; filename="../../x\\"y"', 'x')}--b--`,
    `--b${CRLF}Content-Type: text/html${CRLF} folded${CRLF}content-disposition: form-data; name="\\""${CRLF}${CRLF}--b--`,
    `--b${CRLF}Content-Disposition: form-data; name=a${CRLF}Content-Type: application/octet-stream; x="y"${CRLF}` +
      `Content-Transfer-Encoding: BASE64${CRLF}${CRLF}x${CRLF}--b--`,
  ],
  dictionary: [
    ...words(String.raw`--b --b-- - -- name=" name= " \" \ filename=" filename*=utf-8'' %zz ; = : [ ] []
      [0] __proto__ ../ C:\ text/plain /`),
    ...['\r\n--b', '\r\n--b--', '\r\n', '\r\n\r\n', '\r', '\n', ' ', '\t'],
    ...['Content-Disposition: form-data; ', '\0', 'Content-Type: '],
  ],
  async run(text) {
    const bytes = Buffer.from(text, 'latin1');
    const whole = ours(bytes, bytes.length || 1);
    for (const size of [1, 3, 7]) assertSame(ours(bytes, size), whole);
    if (whole === undefined) return;
    const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const { name, content } of whole.parts)
      if (name !== undefined) addField(fields, parseFieldName(name), content);
    assertWithoutPrototypes(fields);
    // Only we allow white space after a boundary, and only it allows an unknown charset.
    if (/--b[ \t]/.test(text) || /charset/i.test(text)) return;
    // If something else follows a boundary on its line, busboy may treat the next line break as the end of the
    // boundary.
    if (whole.isStray) return;
    // It does not see the end of a part without content either.
    if (text.includes('\r\n\r\n--b')) return;
    // busboy finds parts after the last boundary if they are in the same chunk.
    if (/--b--[^]*--b/.test(text)) return;
    const reference = await theirs(bytes);
    if (reference === undefined) return;
    assertSame(whole.parts, reference);
  },
};

function assertWithoutPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  assert.ok(Array.isArray(value) || Object.getPrototypeOf(value) === null);
  for (const each of Object.values(value)) assertWithoutPrototypes(each);
}
