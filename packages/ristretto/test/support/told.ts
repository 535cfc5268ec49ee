/** The type of a comparison that a test may return as is, or await for the response. */
export type Told<T> = Promise<void> & Promise<T>;
