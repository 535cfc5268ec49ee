/** Multipart bodies: the same parts however the bytes are split, or a 4xx error; names create only plain objects. */
import assert from 'node:assert/strict';
import { fieldTree } from 'ristretto3/lib/middleware/multipart/form';
import { FormParser } from 'ristretto3/lib/middleware/multipart/parser';
import { assertPlain, assertSame } from '../target.js';
import type { Target } from '../target.js';
import { words } from '../../../packages/engine/test/support/random.js';

const CRLF = '\r\n';
const part = (head: string, body: string): string =>
  `--b${CRLF}Content-Disposition: form-data; ${head}${CRLF}${CRLF}${body}${CRLF}`;

interface Part {
  name: string;
  filename: string | undefined;
  type: string | null;
  body: string;
  ended: boolean;
}

/** Returns the parts that the parser finds in chunks of this size, and its error as text. */
function partsIn(bytes: Buffer, size: number): { parts: Part[]; error: string | undefined } {
  const parts: Part[] = [];
  try {
    const parser = new FormParser('b');
    for (let at = 0; at < bytes.length; at += size) {
      for (const event of parser.push(bytes.subarray(at, at + size))) {
        if (event.type === 'begin') {
          const { name, filename, type, fields } = event.header;
          assert.equal(Object.getPrototypeOf(fields), Object.prototype);
          assert.ok(name !== '' && !/[/\\]|^\.\.?$/.test(filename ?? ''), 'a name that is a path');
          parts.push({ name, filename, type, body: '', ended: false });
        } else if (event.type === 'data') {
          parts.at(-1)!.body += event.chunk.toString('latin1');
        } else {
          parts.at(-1)!.ended = true;
        }
      }
    }
    parser.assertComplete();
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    assert.ok(status === 400 || status === 413, (error as Error).stack);
    return { parts, error: `${status} ${message}` };
  }
  return { parts, error: undefined };
}

export const target: Target = {
  maxLength: 1024,
  seeds: [
    `${part('name="a"', '1')}${part('name="b"; filename="x.txt"', 'data')}--b--${CRLF}`,
    `${part("name=a; filename*=UTF-8''%e2%82%ac.txt", '')}--b--`,
    `preamble${CRLF}${part('name="a[b][]"', 'x\r\n--bx\r\n-')}--b--epilogue`,
    `${part('name="__proto__"; filename="../../x"', 'x')}--b--`,
    `--b${CRLF}Content-Type: text/plain${CRLF} folded${CRLF}content-disposition: form-data; name="\\""${CRLF}${CRLF}--b--`,
  ],
  dictionary: [
    ...words(String.raw`--b --b-- - -- name=" name= " \" %22 filename=" filename*=utf-8'' %zz ; = : [ ]
      [] __proto__ toString C:\ ../`),
    ...['\r\n--b', '\r\n--b--', '\r\n', '\r\n\r\n', '\r', '\n', 'Content-Disposition: form-data; '],
    ...[' ', '\0', 'Content-Type: ', 'Content-Disposition: '],
  ],
  run(text) {
    const bytes = Buffer.from(text, 'latin1');
    const whole = partsIn(bytes, bytes.length);
    for (const size of [1, 3, 7]) assertSame(partsIn(bytes, size), whole);
    const { parts, error } = whole;
    assert.ok(parts.reduce((sum, { body }) => sum + body.length, 0) <= bytes.length);
    assert.ok(error !== undefined || parts.every(({ ended }) => ended));
    const tree = fieldTree(parts.map(({ name, body }) => [name, body] as const));
    assertPlain(tree, { depth: 7, arrayLimit: Math.max(21, parts.length) });
  },
};
