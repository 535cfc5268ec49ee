/** What `web.deadline` takes. */

/** What becomes of a request whose deadline has passed. */
export interface DeadlineOptions {
  /** Seconds after which the client may try again, for `Retry-After`; false for none. @default 10 */
  retryAfter?: number | false | undefined;
  /** Whether a response that has been begun is broken off. @default false */
  destroy?: boolean | undefined;
}
