/** Members of a response that set its status and send a body. */
import type { Send } from 'express-serve-static-core';
import type { ResponseAdditions } from './response-additions';

/** Status and body (RFC 9110, sections 6.4 and 15). */
export interface ResponseSending<ResBody, StatusCode extends number> extends ResponseAdditions {
  /**
   * Set the status code.
   * @throws RangeError, when the header block is created, unless it is an integer from 100 to 999
   * @example
   * res.status(404).send('No such page');
   * // GET / -> 404 No such page
   */
  status(code: StatusCode): this;
  /**
   * Set the status code and send its standard text, or the number if it has none.
   * @throws RangeError unless it is an integer from 100 to 999
   * @example
   * res.sendStatus(404);
   * // GET / -> 404 (Content-Type: text/plain; charset=utf-8) Not Found
   */
  sendStatus(code: StatusCode): this;
  /**
   * Send a response: a string (as HTML unless `Content-Type` is set), bytes, a stream, or any other value as JSON. Sets
   * `Content-Length` and `ETag`, and sends a 304 if the client's copy is fresh.
   *
   * A stream is a `ReadableStream`, a `Readable`, a `Blob`, a `Response`, an async iterable or an iterator; its chunks
   * are strings or bytes. It is read as fast as the client reads, and released when the client disconnects. An error
   * before the first chunk goes to the error handlers; a later one aborts the response.
   * @throws TypeError for a function, symbol or bigint, and for a `Response` that has already been read
   * @example
   * res.send('<p>Hello</p>');
   * // GET / -> 200 (Content-Type: text/html; charset=utf-8) (Content-Length: 12) (ETag: …) <p>Hello</p>
   * @example
   * res.type('csv').send(fs.createReadStream('rows.csv'));
   * // GET / -> 200 (Content-Type: text/csv; charset=utf-8) name,age\nAda,36…
   */
  send: Send<ResBody, this>;
  /**
   * Send a JSON response (RFC 8259), formatted according to the settings `json replacer`, `json spaces` and `json
   * escape`.
   * @throws TypeError for values that JSON cannot represent, such as cycles and bigints
   * @example
   * res.json({ user: 'ada' });
   * // GET / -> 200 (Content-Type: application/json; charset=utf-8) {"user":"ada"}
   */
  json: Send<ResBody, this>;
  /**
   * Send JSON wrapped in a call to the function named in the query string, `?callback=name` by default.
   * @example
   * res.jsonp({ user: 'ada' });
   * // GET /?callback=show
   * //   -> 200 (Content-Type: text/javascript; charset=utf-8) …typeof show === 'function' && show({"user":"ada"});
   */
  jsonp: Send<ResBody, this>;
  /**
   * Whether the headers have been sent.
   * @example
   * res.write('hello');
   * res.headersSent; // true
   * // GET / -> 200 hello
   */
  headersSent: boolean;
}
