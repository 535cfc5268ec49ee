/** The types that the modules for path patterns share: keys, options, shapes, and the parsed pattern itself. */

/** One capture group of a pattern: its name, or a number if it has none. */
export interface PatternKey {
  name: string | number;
  optional: boolean;
  /** The position of the group in the expression, for tools that read `layer.keys`. */
  offset?: number;
}

/** How to read a pattern. */
export interface PatternOptions {
  /** Whether matching is case-sensitive. Default false. */
  sensitive?: boolean;
  /** Whether a trailing slash makes a difference. Default false. */
  strict?: boolean;
  /** Whether the pattern must match the whole path (default true) or only a prefix of whole segments (false). */
  end?: boolean;
}

/**
 * The segments of a pattern, for an index over many routes: a path matches only if its own segments (the text after the
 * first slash, split at slashes, without the empty one after a trailing slash) are these; with `end: false`, if they
 * begin with these. All other conditions are left to `match`.
 */
export interface PatternShape {
  /** Static text in its original case, or null for one parameter that matches a whole, non-empty segment. */
  segments: (string | null)[];
  /** Whether the pattern itself ends with a slash. */
  trailingSlash: boolean;
}

/** The parsed path of a layer. */
export interface PathPattern {
  /** One key for each capture group, in order; the array is not shared with other layers. */
  readonly keys: PatternKey[];
  /** The segments for a route index; undefined if the pattern cannot be indexed by segments. */
  readonly shape: PatternShape | undefined;
  /** The source of the pattern: text, a regular expression, or an array of these. */
  path: unknown;
  /** The index at which the last match began: 0, except for expressions that are not anchored, such as `/a|b`. */
  readonly index: number;
  /** Returns the regular expression that Express would have created; built on first use and cached. */
  toRegExp(): RegExp;
  /**
   * Matches a path in time linear in its length (except for regular expressions from the user).
   *
   * @param path the path of a request, not decoded
   * @param captures receives the raw text for each key, or undefined if its group did not participate; its content is
   * unspecified if the path does not match
   * @returns the length of the matched text (it begins at `index`), or -1 if the path does not match
   */
  match(path: string, captures: (string | undefined)[]): number;
}
