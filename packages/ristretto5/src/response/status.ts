/** `res.status`: the status code of a response. */
import type { Response } from '@ristretto/private-engine/lib/types/internals';

/**
 * Sets the status code.
 *
 * @param code 100 to 999
 * @returns the response, for chaining
 * @throws TypeError if it is not an integer, RangeError if it is out of range
 * @example res.status(404).send('no such thing');
 */
export function status(this: Response, code: number): Response {
  if (!Number.isInteger(code)) {
    throw new TypeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be an integer.`);
  }
  if (code < 100 || code > 999) {
    throw new RangeError(
      `Invalid status code: ${JSON.stringify(code)}. Status code must be greater than 99 and less than 1000.`,
    );
  }
  this.statusCode = code;
  return this;
}
