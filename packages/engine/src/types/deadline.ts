/** Options of `web.deadline`. */

/** Options for what happens when the deadline of a request passes. */
export interface DeadlineOptions {
  /**
   * The time after which the client may retry, for `Retry-After`, in milliseconds or as a string; false to omit the
   * header.
   * @default '10s'
   */
  retryAfter?: number | string | false | undefined;
  /** Whether to destroy a response that has already started. @default false */
  destroy?: boolean | undefined;
}
