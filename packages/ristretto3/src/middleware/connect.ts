/** The shape of middleware of the connect time, and what they leave on a request for each other. */
/* eslint-disable @typescript-eslint/no-explicit-any -- bodies, sessions, users and errors are what applications make of them */
import type * as http from 'node:http';

/** A request with what the middleware of this package put there. */
export interface Request extends http.IncomingMessage {
  /** The URL before mounting, where a framework keeps it. */
  originalUrl?: string | undefined;
  /** Where the parsed body goes. */
  body?: any;
  /** The body is taken: no other parser may read it. */
  _body?: boolean | undefined;
  query?: any;
  cookies?: Record<string, any> | undefined;
  signedCookies?: Record<string, any> | undefined;
  /** The secret that cookies are signed with. */
  secret?: string | undefined;
  session?: any;
}

/** Passes control on; with an argument, to the error handlers. */
export type Next = (error?: any) => void;

export type Handler = (req: Request, res: http.ServerResponse, next: Next) => void;

export type ErrorHandler = (error: any, req: Request, res: http.ServerResponse, next: Next) => void;
