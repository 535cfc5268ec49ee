/** The type of a comparison that a test may return as is, or await for the response. */
export type Comparison<T> = Promise<void> & Promise<T>;
