/** The types of connect middleware, and the request members that they share. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, sessions, users and errors are what applications make of them */
import type * as http from 'node:http';

/** A request with the members that the middleware of this package sets. */
export interface Request extends http.IncomingMessage {
  /** The URL before mounting, if a framework keeps it. */
  originalUrl?: string | undefined;
  /** The parsed body. */
  body?: any;
  /** Whether a parser has read the body: no other parser may read it then. */
  _body?: boolean | undefined;
  query?: any;
  cookies?: Record<string, any> | undefined;
  signedCookies?: Record<string, any> | undefined;
  /** The secret with which cookies are signed. */
  secret?: string | undefined;
  session?: any;
}

/** Passes control to the next handler; with an argument, to the next error handler. */
export type Next = (error?: any) => void;

export type Handler = (req: Request, res: http.ServerResponse, next: Next) => void;

export type ErrorHandler = (error: any, req: Request, res: http.ServerResponse, next: Next) => void;
