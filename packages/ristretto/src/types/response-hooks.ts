/** Members of a response that act before it is sent; Express does not have them. */
import type { ServerResponse } from 'node:http';
import type { EarlyLinks } from './early-hints';

/** Hooks, and informational responses. */
export interface ResponseHooks {
  /**
   * Add a hook that runs before anything of the response is sent, however it is sent, after those added before.
   * @param hook gets the body, undefined for streams and files, and the response, whose status and headers it may
   *   change; it may return another body, or a promise. Its error goes to the error handlers.
   * @throws TypeError when the hook is no function; Error with the code ERR_HTTP_HEADERS_SENT when it is too late
   * @example
   * res.onSend((body, res) => void res.set('X-Length', String(body?.length)));
   * res.send('hello');
   * // GET / -> 200 (X-Length: 5) hello
   */
  onSend(hook: (this: this, body: string | Buffer | undefined, res: this) => Left | PromiseLike<Left>): this;
  /**
   * Send a 103 with links that the client may load while the response is being made (RFC 8297). Do nothing for
   * HTTP/1.0, for `app.fetch`, and once the headers have been sent.
   * @param links URLs by relation, or links as they stand in the `Link` header
   * @throws TypeError for links of another form
   * @example
   * res.earlyHints({ preload: { href: '/app.css', as: 'style' } }).send('hello');
   * // GET / -> 103 (Link: </app.css>; rel="preload"; as="style") -> 200 hello
   */
  earlyHints(links: EarlyLinks): this;
}

/** What a hook leaves: another body, or nothing; a response, as `res.set` returns it, counts as nothing. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- most hooks return nothing
type Left = string | Uint8Array | ServerResponse | undefined | void;
