/** The members of a response that set headers. */
import type { CookieOptions } from 'ristretto/lib/types/cookie';

type Value = string | number | boolean | readonly string[];

export interface ResponseHeaders5 {
  /**
   * Sets a header, or several.
   * @example res.set('X-Frame-Options', 'DENY').set({ 'X-A': '1' });
   */
  set(fields: object): this;
  set(field: string, value?: Value): this;
  header(fields: object): this;
  header(field: string, value?: Value): this;
  /** The value of a header that has been set. */
  get(field: string): string | undefined;
  /** Adds a value to a header. */
  append(field: string, value?: string | readonly string[]): this;
  /** Adds names to `Vary`. */
  vary(field: string | readonly string[]): this;
  /** Sets `Content-Type`, by a type or an extension. */
  type(type: string): this;
  contentType(type: string): this;
  /** Adds links to the `Link` header, one or several for each relation. */
  links(links: Record<string, string | readonly string[]>): this;
  /** Sets `Location`. */
  location(url: string): this;
  /** Marks the response as a file to be saved, under a name. */
  attachment(filename?: string): this;
  /** Sets a cookie. */
  cookie(name: string, val: unknown, options?: CookieOptions): this;
  /** Asks the client to drop a cookie, which was set with these options. */
  clearCookie(name: string, options?: CookieOptions): this;
}
