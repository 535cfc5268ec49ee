/** Members of a response that set its status and send a body. */
import type { ServerResponse } from 'node:http';
import type { Send } from 'express-serve-static-core';
import type { EventStream, EventStreamOptions } from './events';
import type { EarlyLinks } from './early-hints';

/** Status and body (RFC 9110, sections 6.4 and 15). */
export interface ResponseSending<ResBody, StatusCode extends number> {
  /**
   * Sets the status.
   * @example res.status(404).send('No such page');
   */
  status(code: StatusCode): this;
  /**
   * Sets the status and sends its standard text, or the number where it has none.
   * @example res.sendStatus(404); // 'Not Found'
   */
  sendStatus(code: StatusCode): this;
  /**
   * Sends text (as HTML unless `Content-Type` is set), bytes, a stream, or anything else as JSON; sets `Content-Length`
   * and `ETag`, and answers 304 where the client's copy is good.
   *
   * A stream is a `ReadableStream`, a `Readable`, a `Blob`, a `Response`, an async iterable or an iterator; pieces are
   * strings and bytes. It is read as fast as the client reads, and released when the client disconnects. An error before
   * the first piece goes to the error handlers, a later one breaks the response off.
   * @throws TypeError for a function, symbol or bigint, and for a `Response` that has been read
   * @example res.send('<p>Hello</p>');
   * @example res.type('csv').send(fs.createReadStream('rows.csv')); // see docs/guide/streams.md
   */
  send: Send<ResBody, this>;
  /**
   * Sends JSON (RFC 8259), as the settings `json replacer`, `json spaces` and `json escape` say.
   * @throws TypeError for what JSON can't express, such as cycles and big integers
   * @example res.json({ user: 'ada' });
   */
  json: Send<ResBody, this>;
  /**
   * Sends JSON wrapped in a call to the function that the query string names, `?callback=name` by default.
   * @example res.jsonp({ user: 'ada' }); // name({"user":"ada"})
   */
  jsonp: Send<ResBody, this>;
  /**
   * Begins a response of server-sent events, for `EventSource`, and sends its header at once. `web.stop` ends it.
   * @param options `heartbeat`, in milliseconds, 15,000 by default; `limit`, in bytes, 1 MiB by default
   * @returns the stream: `send`, `comment`, `close`, `closed` and `lastEventId`
   * @throws TypeError or RangeError for options that have no meaning, Error where the header has been sent
   * @example
   * const events = res.sse();
   * events.send({ event: 'greeting', data: { hello: 'world' }, id: 1 }); // see docs/guide/events.md
   */
  sse(options?: EventStreamOptions): EventStream;
  /**
   * Adds a hook that runs before anything of the response is sent, however it is sent, after those added before.
   * @param hook gets the body, undefined for streams and files, and the response, whose status and headers it may
   *   change; it may return another body, or a promise. Its error goes to the error handlers.
   * @throws TypeError when the hook is no function; Error with the code ERR_HTTP_HEADERS_SENT when it is too late
   * @example res.onSend((body, res) => void res.set('X-Length', String(body?.length)));
   */
  onSend(hook: (this: this, body: string | Buffer | undefined, res: this) => Left | PromiseLike<Left>): this;
  /**
   * Sends a 103 with links that the client may load while the response is being made (RFC 8297). Does nothing for
   * HTTP/1.0, for `app.fetch`, and once the headers have been sent.
   * @param links URLs by relation, or links as they stand in the `Link` header
   * @throws TypeError for links of another form
   * @example res.earlyHints({ preload: { href: '/app.css', as: 'style' }, preconnect: 'https://cdn.example' });
   */
  earlyHints(links: EarlyLinks): this;
  /** Whether the header has been sent. */
  headersSent: boolean;
}

/** What a hook leaves: another body, or nothing; a response, as `res.set` returns it, counts as nothing. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most hooks return nothing
type Left = string | Uint8Array | ServerResponse | undefined | void;
