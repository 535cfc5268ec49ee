/** Parses what a server sent on one connection: whole responses, with nothing between or after them. */
import assert from 'node:assert/strict';

const STATUS = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e\x80-\xff]*$/;
const FIELD = /^[!#$%&'*+.^_`|~\w-]+: ?[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Asserts that the bytes are responses, none with a status of 500 or above except 501 and 505.
 * @param sent the requests, to determine whether a response may belong to HEAD
 */
export function assertAnswers(bytes: Buffer, sent: string): void {
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    assert.ok(end >= 0, 'a header block without an end');
    const [first = '', ...fields] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(STATUS.exec(first)?.[1]);
    assert.ok(status >= 100 && (status < 500 || status === 501 || status === 505), first);
    for (const field of fields) assert.match(field, FIELD);
    at = end + 4;
    if (status >= 200) at = endOfBody(bytes, at, status, fields, sent);
  }
}

function endOfBody(bytes: Buffer, from: number, status: number, fields: string[], sent: string): number {
  if (status === 204 || status === 304) return from;
  const valueOf = (name: string): string | undefined =>
    fields
      .find(field => field.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  // The headers of a response to HEAD describe a body that is not sent
  const isNext = bytes.length === from || bytes.toString('latin1', from, from + 9) === 'HTTP/1.1 ';
  if (isNext && sent.includes('HEAD')) return from;
  if (valueOf('transfer-encoding') === 'chunked') return endOfChunks(bytes, from);
  const length = valueOf('content-length');
  if (length === undefined) return bytes.length;
  const end = from + Number(length);
  assert.ok(end <= bytes.length, `${bytes.length - from} bytes of ${length}`);
  return end;
}

function endOfChunks(bytes: Buffer, from: number): number {
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at);
    assert.ok(line >= 0, 'a chunk without a size');
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    assert.ok(size >= 0, 'a size that is no number');
    at = line + 2 + size + 2;
    assert.ok(at <= bytes.length, 'a chunk that is cut off');
    if (size === 0) return at;
  }
}
