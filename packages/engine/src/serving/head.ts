/**
 * Types for responses on a virtual socket: the header section, and messages with Node's undocumented members.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeadFields } from './field-lines';

/** The header section of a response. */
export interface Head {
  status: number;
  reason: string;
  fields: HeadFields;
  /** The number of bytes of content, from Content-Length. */
  length: number | undefined;
  /** Whether the response has no content because of its status or the request's method. */
  isBodiless: boolean;
  sendDate: boolean;
}

/** A response on a virtual socket, with Node's undocumented members. */
export interface VirtualResponse extends ServerResponse {
  _header: string | null;
  _trailer: string;
  _closed: boolean;
  destroyed: boolean;
}

/** A request on a virtual socket, with Node's undocumented members. */
export interface VirtualRequest extends IncomingMessage {
  _dump(): void;
  _dumped: boolean;
  /**
   * Called as Node's parser does: with the header section, and after the request is complete with the trailer section.
   */
  _addHeaderLines(lines: string[], count: number): void;
}
