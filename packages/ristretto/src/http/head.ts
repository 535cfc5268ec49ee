/** What a response hands to its stand-in for a socket, and the messages themselves with what Node does not document. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeadFields } from './field-lines';

/** The header section of a response. */
export interface Head {
  status: number;
  reason: string;
  fields: HeadFields;
  /** Bytes of content, where Content-Length says so. */
  length: number | undefined;
  /** Whether the response has no content by its status or by the method of the request. */
  isBodiless: boolean;
  sendDate: boolean;
}

/** A response on a stand-in, with what Node does not document. */
export interface HostedResponse extends ServerResponse {
  _header: string | null;
  _trailer: string;
  _closed: boolean;
  destroyed: boolean;
}

/** A request on a stand-in, with what Node does not document. */
export interface HostedRequest extends IncomingMessage {
  _dump(): void;
  _dumped: boolean;
  /** As the parser calls it: with the header section, and once the request is complete with the trailer section. */
  _addHeaderLines(lines: string[], count: number): void;
}
