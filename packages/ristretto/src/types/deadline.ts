/** What `web.deadline` takes. */

/** What becomes of a request whose deadline has passed. */
export interface DeadlineOptions {
  /** Seconds after which the client may try again, for `Retry-After`; 10 unless given, false for none. */
  retryAfter?: number | false | undefined;
  /** Whether a response that has been begun is broken off; false unless given. */
  destroy?: boolean | undefined;
}
