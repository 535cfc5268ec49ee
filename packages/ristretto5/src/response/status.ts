/** The status code of a response: `res.status` and `res.sendStatus`. */
import statuses = require('statuses');
import type { Response } from '../types/core';

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

/**
 * Sets the status code and sends its reason phrase as plain text, or the number itself if it has none.
 *
 * @throws as `res.status` does
 * @example res.sendStatus(403); // the body is 'Forbidden'
 */
export function sendStatus(this: Response, statusCode: number): Response {
  const body = statuses.message[statusCode] ?? String(statusCode);
  this.status(statusCode);
  this.type('txt');
  return this.send(body);
}
