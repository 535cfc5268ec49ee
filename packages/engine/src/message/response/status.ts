/** The status code of a response: `res.status` and `res.sendStatus`. */
import depd = require('depd');
import statuses = require('statuses');
import type { Response } from '../../types/core';
import { versionOf } from '../../version';
import { mistakesOf } from './mistakes';

const deprecate = depd('express');

/** Sets the status code. */
export function status(this: Response, code: number): Response {
  if ((typeof code === 'string' || Math.floor(code) !== code) && code > 99 && code < 1000) {
    deprecate(`res.status(${JSON.stringify(code)}): use res.status(${String(Math.floor(code))}) instead`);
  }
  // Negated, because comparisons with undefined are false
  if (!(code >= 100)) mistakesOf(this)?.checkStatus(code);
  this.statusCode = code;
  return this;
}

/** Sets the status code and sends its name as plain text, or the number itself if it has no registered name. */
export function sendStatus(this: Response, statusCode: number): Response {
  const body = statuses.message[statusCode] ?? String(statusCode);
  if (versionOf(this).responses.callsStatus) this.status(statusCode);
  else this.statusCode = statusCode;
  this.type('txt');
  return this.send(body);
}
