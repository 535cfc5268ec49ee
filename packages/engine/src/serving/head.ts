/**
 * Header sections as responses on a virtual socket have them: their lines, which Node formats for HTTP/1.1, and messages with Node's
 * undocumented members.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OF_CONNECTION } from './fields';

/** Field values by name in lower case. */
export type HeadFields = Record<string, string | string[]>;

/**
 * Creates a set of headers without `Object.prototype`; sets with the same names in the same order share a hidden class.
 */
export const FieldSet = function () {
  /* Empty at first */
} as unknown as new () => HeadFields;
FieldSet.prototype = Object.create(null) as HeadFields;

/** Parses header lines in the format of HTTP/1.1, and drops those that describe an HTTP/1.1 connection. */
export function parseFields(lines: readonly string[]): HeadFields {
  const fields = new FieldSet();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (OF_CONNECTION.has(name)) continue;
    const value = line.slice(colon + 1).trim();
    const first = fields[name];
    fields[name] = first === undefined ? value : [first, value].flat();
  }
  return fields;
}

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
