// runs: each
/** The chunks of a body: joins them without allocating more memory than the received data justifies. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Pieces } from '@ristretto/private-engine/lib/body/pieces';

const KIB = 1024;
const piece = (size: number, fill: number): Buffer => Buffer.alloc(size, fill);

function collect(length: number | null, sizes: number[]): { expected: Buffer; joined: Buffer } {
  const pieces = new Pieces(length);
  const given = sizes.map((size, i) => piece(size, i + 1));
  for (const one of given) pieces.add(one);
  return { expected: Buffer.concat(given), joined: pieces.join() };
}

describe('pieces of a body', () => {
  for (const [name, sizes] of Object.entries({
    'no piece': [],
    'small ones': [1, 2, 3],
    'an empty one first': [0, 5, 5],
    'large ones': [64 * KIB, 64 * KIB, 64 * KIB, 17],
    'one large one': [600 * KIB],
    'small ones, then large ones': [1, 100 * KIB, 100 * KIB, 1, 100 * KIB],
  })) {
    test(`whole: joins the pieces: ${name}`, () => {
      const length = sizes.reduce((sum, size) => sum + size, 0);
      for (const known of [length, null]) {
        const { expected, joined } = collect(known, sizes);
        assert.ok(joined.equals(expected));
      }
    });
  }

  test('copies: does not copy a single piece', () => {
    const pieces = new Pieces(5);
    const only = piece(5, 1);
    pieces.add(only);
    assert.equal(pieces.join(), only);
  });

  test('memory: allocates the announced length only after a sixteenth of it has arrived', () => {
    const before = process.memoryUsage().arrayBuffers;
    const many = Array.from({ length: 20 }, () => new Pieces(64 * KIB * KIB));
    for (const pieces of many) {
      for (let i = 0; i < 6; i++) pieces.add(Buffer.allocUnsafe(64 * KIB));
    }
    assert.ok(process.memoryUsage().arrayBuffers - before < 20 * KIB * KIB);
  });

  test('too many: counts more bytes than announced without harm', () => {
    const pieces = new Pieces(200 * KIB);
    for (let i = 0; i < 6; i++) pieces.add(piece(64 * KIB, i));
    assert.equal(pieces.received, 6 * 64 * KIB);
  });

  test('clear: releases the bytes', () => {
    const pieces = new Pieces(3);
    pieces.add(piece(3, 1));
    pieces.clear();
    assert.equal(pieces.join().length, 0);
  });
});
