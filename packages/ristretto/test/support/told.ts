/** The type of a comparison that a test may return as it is, or await for what came back. */
export type Told<T> = Promise<void> & Promise<T>;
