/** Parses the sizes that options give. */
import bytes = require('bytes');

/**
 * Returns the number of bytes that an option specifies.
 *
 * @param size a number, or text such as `'10mb'`
 * @throws TypeError for an invalid size: as a limit it would let everything pass (CVE-2026-12590)
 * @example byteSize('1kb', 'limit'); // 1024
 */
export function byteSize(size: unknown, option: string): number {
  const number = typeof size === 'string' ? bytes.parse(size) : size;
  if (typeof number === 'number' && number >= 0) return number;
  throw new TypeError(`${option} must be a number of bytes, or text such as '10mb', not ${String(size)}`);
}
