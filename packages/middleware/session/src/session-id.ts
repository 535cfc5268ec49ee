/** Session IDs: 24 random bytes in the URL-safe base64 of RFC 4648. */
import { randomFillSync } from 'node:crypto';

const LENGTH = 24;
/** Random bytes for many IDs: generating them takes ten times as long as the rest of an ID. */
const pool = Buffer.alloc(LENGTH * 128);
let used = pool.length;

export function generateId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('base64url', used, used + LENGTH);
  // An ID that has been used is not kept.
  pool.fill(0, used, (used += LENGTH));
  return id;
}
