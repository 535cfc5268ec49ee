/** The multipart parser: the same parts however the body is cut into chunks, and linear time for hostile bodies. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FormParser, parsePartHeader } from 'ristretto3/lib/middleware/multipart/parser';
import { fieldTree } from 'ristretto3/lib/middleware/multipart/form';
import { assertFast, assertLinear } from '../../engine/test/support/worst-case.js';
import { bodyOf, BOUNDARY } from './support/multipart.js';
import type { Part } from './support/multipart.js';

/** Parses a body in chunks cut at these offsets into its parts; throws if it is malformed. */
function parse(
  body: Buffer,
  cuts: readonly number[],
  boundary = BOUNDARY,
): { name: string; content: string }[] {
  const parser = new FormParser(boundary);
  const parts: { name: string; content: string }[] = [];
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    for (const event of parser.push(body.subarray(from, cut))) {
      if (event.type === 'begin') parts.push({ name: event.header.name, content: '' });
      else if (event.type === 'data') parts[parts.length - 1]!.content += event.chunk.toString('latin1');
    }
    from = cut;
  }
  parser.assertComplete();
  return parts;
}

/** Pieces that look like the beginning of a boundary. */
const piece = fc.constantFrom(
  '\r',
  '\n',
  '\r\n',
  '-',
  '--',
  '\r\n--',
  `\r\n--${BOUNDARY.slice(0, 3)}`,
  BOUNDARY,
  'x',
  '\0',
);
const content = fc.array(piece, { maxLength: 20 }).map(pieces => pieces.join(''));

describe('multipart parser', () => {
  test('chunks: the parts are the same wherever the chunks are split', () => {
    fc.assert(
      fc.property(
        fc.array(content, { maxLength: 4 }),
        fc.array(fc.nat(400), { maxLength: 30 }),
        (contents, places) => {
          const delimiter = `\r\n--${BOUNDARY}`;
          const kept = contents.filter(
            value => !`\r\n${value}\r\n--${BOUNDARY}`.slice(0, -2).includes(delimiter),
          );
          const parts: Part[] = kept.map((value, index) => ({
            name: `n${index}`,
            value: Buffer.from(value, 'latin1'),
          }));
          const body = bodyOf(parts);
          const cuts = places.filter(place => place < body.length).sort((a, b) => a - b);
          const expected = kept.map((value, index) => ({ name: `n${index}`, content: value }));
          assert.deepEqual(parse(body, cuts), expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('chunks: parses chunks of one byte', () => {
    const body = bodyOf([
      { name: 'a', value: '1\r\n--AaB03\r\n' },
      { name: 'b', filename: 'x', value: '' },
    ]);
    const cuts = Array.from({ length: body.length - 1 }, (_, index) => index + 1);
    assert.deepEqual(parse(body, cuts), [
      { name: 'a', content: '1\r\n--AaB03\r\n' },
      { name: 'b', content: '' },
    ]);
  });

  test('a boundary right after a header: ends a part without content (RFC 2046)', () => {
    const body = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n--${BOUNDARY}--\r\n`,
    );
    for (let cut = 0; cut < body.length; cut++) {
      assert.deepEqual(parse(body, [cut]), [{ name: 'a', content: '' }]);
    }
  });

  test('a boundary within a header: throws, wherever the chunks are split', () => {
    const body = Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n--${BOUNDARY}: b\r\n\r\nc\r\n--${BOUNDARY}--\r\n`,
    );
    for (let cut = 0; cut < body.length; cut++) {
      assert.throws(() => parse(body, [cut]), { status: 400, message: /boundary in the header/ });
    }
  });

  test('hostile bodies: yield a 4xx error or parts, and nothing else', () => {
    const token = fc.constantFrom(
      ...[
        ...['--AaB03x', '\r\n', '--', 'Content-Disposition: form-data', '; name="a"', '; filename="', '"'],
        ...[': ', 'X', '\0'],
      ],
      ...['\r\n\r\n', ' ', '\t', ';', '=', 'filename*=', "UTF-8''", '%', '\\', '\n'],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), tokens => {
        try {
          parse(Buffer.from(tokens.join(''), 'latin1'), [7, 20]);
        } catch (error) {
          assert.match(String((error as { status?: number }).status), /^4\d\d$/);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('content of things that look like boundaries: takes linear time', () => {
    for (const filler of ['\r', '\r\n', '\r\n--', '\r\n--AaB03', '-', 'a']) {
      assertLinear(
        length => {
          const body = bodyOf([{ name: 'a', value: filler.repeat(length / filler.length) }]);
          return () => parse(body, []);
        },
        JSON.stringify(filler),
        256 * 1024,
        20,
      );
    }
  });

  test('header of a part in chunks of one byte: takes linear time', () => {
    assertLinear(
      length => {
        const body = bodyOf([
          { header: `Content-Disposition: form-data; name="a"\r\nX: ${'y'.repeat(length)}`, value: '1' },
        ]);
        const cuts = Array.from({ length: body.length - 1 }, (_, index) => index + 1);
        return () => parse(body, cuts);
      },
      'header byte by byte',
      // Four times this length is still within the limit of a header.
      3 * 1024,
      10,
    );
  });

  test('header of a part: takes linear time', () => {
    const starts = ['', '; name="', '; name="a"; filename="', '; name="a"; filename*=UTF-8\'\''];
    for (const start of starts) assertFast(parsePartHeader, `Content-Disposition: form-data${start}`);
    assertFast(parsePartHeader, '');
  });

  test('CVE-2026-8159: a long file name takes linear time', () => {
    for (const filler of ['a', '\\', '\\"', '%22', '/', ' ', ';']) {
      assertLinear(length => {
        const filename = filler.repeat(length / filler.length);
        return () => parsePartHeader(`Content-Disposition: form-data; name="f"; filename="${filename}"`);
      }, filler);
    }
  });

  test('names of fields: take linear time', () => {
    for (const filler of ['[', ']', '[]', '[a]', '[[', 'a[', '[0]']) {
      assertLinear(length => {
        const name = `a${filler.repeat(length / filler.length)}`;
        return () => fieldTree([[name, '1']]);
      }, filler);
    }
  });
});
