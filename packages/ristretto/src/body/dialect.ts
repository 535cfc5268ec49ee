/** How versions of the interface differ in what they do with bodies. */
import type * as http from 'node:http';
import { typeIs } from '../protocol/content-type';

/** A request with what body parsers leave on it. */
export interface BodyRequest extends http.IncomingMessage {
  body?: unknown;
  /** Set when a parser has taken the body: no other one may read it. Other body middleware sets and reads it too. */
  _body?: boolean;
}

export interface Dialect {
  /** Whether the body may still be read; `req.body` is then what it is without one. */
  isUnread(req: BodyRequest): boolean;
  /** Whether `req._body` is set when a parser takes the body. */
  marksBody: boolean;
  typeIs: typeof typeIs;
}

/** Of Express 4: `req._body` says who reads, and `req.body` is an object afterwards unless it was something before. */
export const express4: Dialect = {
  isUnread(req) {
    if (req._body) return false;
    req.body = req.body || {};
    return true;
  },
  marksBody: true,
  typeIs,
};
