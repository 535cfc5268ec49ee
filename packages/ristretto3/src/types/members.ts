/** The members of requests and responses that differ in 3.x; the others come from 4.x. */
import type { SendFileOptions } from '@ristretto/private-engine/lib/types/files';
import type { RequestNegotiation } from '@ristretto/private-engine/lib/types/request-negotiation';
import type { ResponseAdditions } from '@ristretto/private-engine/lib/types/response-additions';
import type { Errback, ResponseContent } from '@ristretto/private-engine/lib/types/response-content';
import type { ResponseHeaders } from '@ristretto/private-engine/lib/types/response-headers';

/* eslint-disable @typescript-eslint/no-explicit-any -- a body may be anything */

/** A media range of an `Accept` header. */
export interface AcceptedType {
  /** The media type, such as `'text/html'`. */
  value: string;
  /** The quality, 0 to 1. */
  quality: number;
  /** The parameters, without `q`. */
  params: Record<string, string | undefined>;
  /** The part before the slash. */
  type: string;
  /** The part after the slash. */
  subtype: string;
  /** The position in the header. */
  originalIndex: number;
}

type Other = 'accepts' | 'accepted' | 'acceptsCharset' | 'acceptsEncoding' | 'acceptsLanguage' | 'is';

/** Content negotiation, in its 3.x forms. */
export interface RequestNegotiation3 extends Omit<RequestNegotiation, Other> {
  /**
   * Return the media type or extension, among those given, that the client prefers by its `Accept` header; undefined if
   * none is acceptable.
   * @param types a list, as an array or as a comma-separated string
   * @returns the type as it was passed
   * @example
   * req.accepts('html, json'); // 'json'
   * // GET / (Accept: application/json)
   */
  accepts(types: string | readonly string[], ...more: string[]): string | undefined;
  /** @deprecated Use `req.acceptsCharsets()`. */
  acceptsCharset(charset: string): boolean;
  /** @deprecated Use `req.acceptsEncodings()`. */
  acceptsEncoding(encoding: string): boolean;
  /** @deprecated Use `req.acceptsLanguages()`. */
  acceptsLanguage(language: string): boolean;
  /** The media ranges that the client accepts, best first. @deprecated Use `req.accepts()`. */
  readonly accepted: AcceptedType[];
  /** @deprecated Use `req.acceptsCharsets()`. */
  readonly acceptedCharsets: string[];
  /** @deprecated Use `req.acceptsEncodings()`. */
  readonly acceptedEncodings: string[];
  /** @deprecated Use `req.acceptsLanguages()`. */
  readonly acceptedLanguages: string[];
  /**
   * Check whether the request's `Content-Type` is a media type, an extension, or one of several.
   * @returns true or false
   * @example
   * req.is('json'); // true
   * // POST / (Content-Type: application/json) {}
   */
  is(type: string | readonly string[]): boolean;
}

export interface ResponseMembers extends ResponseHeaders, ResponseContent, ResponseAdditions {
  /**
   * Set the status.
   * @example
   * res.status(404).send('No such page');
   * // GET / -> 404 No such page
   */
  status(code: number): this;
  /**
   * Send the status with its reason phrase as the body.
   * @example
   * res.sendStatus(404);
   * // GET / -> 404 Not Found
   */
  sendStatus(code: number): this;
  /**
   * Send text, bytes, or any other value as JSON; a number alone is a status, whose reason phrase is then the body.
   * @example
   * app.get('/a', (req, res) => res.send(404));
   * app.get('/b', (req, res) => res.send(503, 'Later'));
   * // GET /a -> 404 Not Found
   * // GET /b -> 503 (Content-Type: text/html; charset=utf-8) Later
   */
  send(body?: any): this;
  send(status: number, body: any): this;
  /**
   * Send JSON.
   * @example
   * res.json(201, { user: 'ada' });
   * // GET / -> 201 (Content-Type: application/json; charset=utf-8) {\n  "user": "ada"\n}
   */
  json(body?: any): this;
  json(status: number, body: any): this;
  /**
   * Send JSON wrapped in a call of the function that a query parameter names.
   * @example
   * res.jsonp({ user: 'ada' });
   * // GET /?callback=show -> 200 (Content-Type: text/javascript; charset=utf-8) …show({\n  "user": "ada"\n});
   */
  jsonp(body?: any): this;
  jsonp(status: number, body: any): this;
  /**
   * Call the handler for the media type that the client prefers.
   * @example
   * res.format({ html: () => res.send('<p>Hi</p>'), text: () => res.send('Hi') });
   * // GET / (Accept: text/html) -> 200 <p>Hi</p>
   * // GET / (Accept: image/png) -> 406
   */
  format(handlers: object): this;
  /**
   * Send a file. The path is percent-decoded, and may be relative to the working directory.
   * @example
   * res.sendfile('files/report.pdf');
   * // GET / -> 200 (Content-Type: application/pdf) 0123456789
   */
  sendfile(path: string, fn?: Errback): void;
  sendfile(path: string, options: SendFileOptions, fn?: Errback): void;
  /**
   * The charset that is added to a `Content-Type` that has none.
   * @example
   * res.charset = 'iso-8859-1';
   * res.set('Content-Type', 'text/plain').end('hello');
   * // GET / -> 200 (Content-Type: text/plain; charset=iso-8859-1) hello
   */
  charset: string;
  /** Whether the headers have been sent. @deprecated Use `res.headersSent`. */
  readonly headerSent: boolean;
}
