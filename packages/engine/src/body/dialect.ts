/** How versions of the API differ in their handling of bodies. */
import type * as http from 'node:http';
import { typeIs } from '../protocol/content-type';

/** A request with the properties that body parsers set. */
export interface BodyRequest extends http.IncomingMessage {
  body?: unknown;
  /** Set when a parser has taken the body, so that no other one reads it. Third-party body middleware uses it too. */
  _body?: boolean;
}

export interface Dialect {
  /** Whether the body may still be read; if so, sets `req.body` to its value for requests without a body. */
  isUnread(req: BodyRequest): boolean;
  /** Whether `req._body` is set when a parser takes the body. */
  marksBody: boolean;
  typeIs: typeof typeIs;
}

/** Express 4: `req._body` marks the body as read, and `req.body` defaults to an empty object. */
export const express4: Dialect = {
  isUnread(req) {
    if (req._body) return false;
    req.body = req.body || {};
    return true;
  },
  marksBody: true,
  typeIs,
};
