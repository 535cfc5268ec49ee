/** Members of a response that set its status and send a body. */
import type { Send } from 'express-serve-static-core';
import type { EventStream, EventStreamOptions } from './events';
import type { ResponseHooks } from './response-hooks';

/** Status and body (RFC 9110, sections 6.4 and 15). */
export interface ResponseSending<ResBody, StatusCode extends number> extends ResponseHooks {
  /**
   * Set the status.
   * @throws RangeError, once the header is made, for what is no integer of 100 to 999
   * @example
   * res.status(404).send('No such page');
   * // GET / -> 404 No such page
   */
  status(code: StatusCode): this;
  /**
   * Set the status and send its standard text, or the number where it has none.
   * @throws RangeError for what is no integer of 100 to 999
   * @example
   * res.sendStatus(404);
   * // GET / -> 404 (Content-Type: text/plain; charset=utf-8) Not Found
   */
  sendStatus(code: StatusCode): this;
  /**
   * Send text (as HTML unless `Content-Type` is set), bytes, a stream, or anything else as JSON; set `Content-Length`
   * and `ETag`, and send 304 where the client's copy is good.
   *
   * A stream is a `ReadableStream`, a `Readable`, a `Blob`, a `Response`, an async iterable or an iterator; pieces are
   * strings and bytes. It is read as fast as the client reads, and released when the client disconnects. An error before
   * the first piece goes to the error handlers, a later one breaks the response off.
   * @throws TypeError for a function, symbol or bigint, and for a `Response` that has been read
   * @example
   * res.send('<p>Hello</p>');
   * // GET / -> 200 (Content-Type: text/html; charset=utf-8) (Content-Length: 12) (ETag: …) <p>Hello</p>
   * @example
   * res.type('csv').send(fs.createReadStream('rows.csv')); // see docs/guide/streams.md
   * // GET / -> 200 (Content-Type: text/csv; charset=utf-8) name,age\nAda,36…
   */
  send: Send<ResBody, this>;
  /**
   * Send JSON (RFC 8259), as the settings `json replacer`, `json spaces` and `json escape` say.
   * @throws TypeError for what JSON can't express, such as cycles and big integers
   * @example
   * res.json({ user: 'ada' });
   * // GET / -> 200 (Content-Type: application/json; charset=utf-8) {"user":"ada"}
   */
  json: Send<ResBody, this>;
  /**
   * Send JSON wrapped in a call to the function that the query string names, `?callback=name` by default.
   * @example
   * res.jsonp({ user: 'ada' });
   * // GET /?callback=show
   * //   -> 200 (Content-Type: text/javascript; charset=utf-8) …typeof show === 'function' && show({"user":"ada"});
   */
  jsonp: Send<ResBody, this>;
  /**
   * Begin a response of server-sent events, for `EventSource`, and send its header at once. `web.stop` ends it.
   * @param options `heartbeat`, in milliseconds, 15,000 by default; `limit`, in bytes, 1 MiB by default
   * @returns the stream: `send`, `comment`, `close`, `closed` and `lastEventId`
   * @throws TypeError or RangeError for options that have no meaning, Error where the header has been sent
   * @example
   * const events = res.sse();
   * events.send({ event: 'greeting', data: { hello: 'world' }, id: 1 }); // see docs/guide/events.md
   * events.close();
   * // GET / -> 200 (Content-Type: text/event-stream) event: greeting\nid: 1\ndata: {"hello":"world"}…
   */
  sse(options?: EventStreamOptions): EventStream;
  /**
   * Whether the header has been sent.
   * @example
   * res.write('hello');
   * res.headersSent; // true
   * // GET / -> 200 hello
   */
  headersSent: boolean;
}
