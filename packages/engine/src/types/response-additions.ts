/** The members of a response that Express does not have. */
import type { ServerResponse } from 'node:http';
import type { EventStream, EventStreamOptions } from './events';

/**
 * What responses of all versions have beyond Express: `define-response.ts` has a function for each, and the tables of a version's
 * members have none of them.
 */
export interface ResponseAdditions {
  /**
   * Start a stream of server-sent events for `EventSource`, and send the headers immediately. `web.stop` ends the
   * stream.
   * @param options `heartbeat`, in milliseconds, 15,000 by default; `maxBacklog`, in bytes, 1 MiB by default
   * @returns the stream, with `send`, `comment`, `close`, `closed` and `lastEventId`
   * @throws TypeError or RangeError for invalid options; Error if the headers have been sent
   * @example
   * const events = res.sse();
   * events.send({ event: 'greeting', data: { hello: 'world' }, id: 1 });
   * events.close();
   * // GET / -> 200 (Content-Type: text/event-stream) event: greeting\nid: 1\ndata: {"hello":"world"}…
   */
  sse(options?: EventStreamOptions): EventStream;
  /**
   * Add a hook that runs before any part of the response is sent, however it is sent. Hooks run in the order in which
   * they were added.
   * @param hook receives the body, or undefined for streams and files, and the response, whose status and headers it
   * may change; it may return another body, or a promise. Its errors go to the error handlers.
   * @throws TypeError if the hook is not a function; Error with the code ERR_HTTP_HEADERS_SENT if the headers have been
   * sent
   * @example
   * res.onSend((body, res) => void res.set('X-Length', String(body?.length)));
   * res.send('hello');
   * // GET / -> 200 (X-Length: 5) hello
   */
  onSend(
    hook: (this: this, body: string | Buffer | undefined, res: this) => HookResult | PromiseLike<HookResult>,
  ): this;
  /**
   * Send a 103 response with links that the client may load while the response is prepared (RFC 8297). Does nothing for
   * HTTP/1.0, for `app.fetch`, and once the headers have been sent.
   * @param links URLs by relation, or values of the `Link` header
   * @returns the response; a link that cannot be sent is left out, with a warning in development
   * @throws TypeError for links in any other form
   * @example
   * res.earlyHints({ preload: { href: '/app.css', as: 'style' } }).send('hello');
   * // GET / -> 103 (Link: </app.css>; rel="preload"; as="style") -> 200 hello
   */
  earlyHints(links: EarlyLinks): this;
}

/** The result of a hook: another body, or nothing; a response, as `res.set` returns it, counts as nothing. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most hooks return nothing
type HookResult = string | Uint8Array | ServerResponse | undefined | void;

/** A URL, alone or with the parameters of its link: `as`, `type`, `crossorigin` (RFC 8288, section 3.4). */
export type EarlyLink = string | { href: string; [parameter: string]: string | true | undefined };

/** Links by relation, or as values of the `Link` header. */
export type EarlyLinks =
  string | readonly string[] | Readonly<Record<string, EarlyLink | readonly EarlyLink[]>>;
