/** Session IDs: 24 random bytes in the URL-safe base64 of RFC 4648. */
import { randomFillSync } from 'node:crypto';

const LENGTH = 24;
const TEXT_LENGTH = (LENGTH / 3) * 4;
/** How many IDs are converted to text at once: one by one would take seven times as long. */
const AT_ONCE = 16;
/** Random bytes for many IDs: generating them one by one would take far longer than the rest. */
const pool = Buffer.alloc(LENGTH * AT_ONCE * 64);
let used = pool.length;
/** The next IDs, one after the other. They are a multiple of three bytes, so none has padding. */
let ids = '';
let at = 0;

export function generateId(): string {
  if (at === ids.length) {
    convert();
    at = 0;
  }
  return ids.slice(at, (at += TEXT_LENGTH));
}

function convert(): void {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const end = used + LENGTH * AT_ONCE;
  ids = pool.toString('base64url', used, end);
  // Erases the bytes, which are secret.
  pool.fill(0, used, end);
  used = end;
}
