/** The members of a response in their forms of 3.x; the others are those of 4.x. */
import type { EventStream, EventStreamOptions } from 'ristretto/lib/types/events';
import type { Errback, ResponseContent } from 'ristretto/lib/types/response-content';
import type { ResponseHeaders } from 'ristretto/lib/types/response-headers';
import type { ResponseHooks } from 'ristretto/lib/types/response-hooks';
import type { SendFileOptions } from 'ristretto/lib/types/files';

/* eslint-disable @typescript-eslint/no-explicit-any -- a body may be anything */

export interface ResponseMembers extends ResponseHeaders, ResponseContent, ResponseHooks {
  /** Set the status. */
  status(code: number): this;
  /** Send the status with its name as body. */
  sendStatus(code: number): this;
  /**
   * Send text, bytes, or anything else as JSON; a number alone is a status, whose name is then the body.
   * @example res.send(404); res.send(500, { error: 'broken' });
   */
  send(body?: any): this;
  send(status: number, body: any): this;
  /** Send JSON. */
  json(body?: any): this;
  json(status: number, body: any): this;
  /** Send JSON wrapped in a call of the function that the query names. */
  jsonp(body?: any): this;
  jsonp(status: number, body: any): this;
  /** Call the handler of the type that the client likes best. */
  format(handlers: object): this;
  /** Send a file; its path is decoded, and may be relative to the working directory. */
  sendfile(path: string, fn?: Errback): void;
  sendfile(path: string, options: SendFileOptions, fn?: Errback): void;
  /** Begin a response of server-sent events, and send its header at once. */
  sse(options?: EventStreamOptions): EventStream;
  /** The charset that is added to a `Content-Type` without one. */
  charset: string;
  /** Whether the header has been sent. @deprecated Use `res.headersSent`. */
  readonly headerSent: boolean;
}
