/** A complete body. */
export type Content = string | Buffer;
