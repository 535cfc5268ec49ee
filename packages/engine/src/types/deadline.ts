/** Options of `web.deadline`. */

/** What happens when the deadline of a request passes. */
export interface DeadlineOptions {
  /** Seconds after which the client may retry, for `Retry-After`; false to omit the header. @default 10 */
  retryAfter?: number | false | undefined;
  /** Whether to destroy a response that has already started. @default false */
  destroy?: boolean | undefined;
}
