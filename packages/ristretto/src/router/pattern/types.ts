/** What the parts of the path-pattern machinery agree on: keys, options, shapes, and the parsed pattern itself. */

/** One capture group of a pattern: a name, or a number for a group that has none. */
export interface PatternKey {
  name: string | number;
  optional: boolean;
  /** Where the group begins in the expression, as tools that read `layer.keys` see it. */
  offset?: number;
}

/** How a pattern is to be read. */
export interface PatternOptions {
  /** Whether upper and lower case differ. Default false. */
  sensitive?: boolean;
  /** Whether a slash at the end makes a difference. Default false. */
  strict?: boolean;
  /** Whether the pattern must match the whole path (default true) or only a prefix of whole segments (false). */
  end?: boolean;
}

/**
 * The segments of a pattern, for an index over many routes: a path matches only when its own segments (the text after
 * the first slash, split at slashes, without the empty one after a slash at the end) are these; with `end: false`,
 * when they begin with these. What else has to hold is left to `match`.
 */
export interface PatternShape {
  /** Static text in the case given, or null for one parameter that takes a whole, non-empty segment. */
  segments: (string | null)[];
  /** Whether the pattern itself ends in a slash. */
  trailingSlash: boolean;
}

/** What one layer's path was parsed to. */
export interface PathPattern {
  /** One key for each capture group, in order; the array is the layer's own. */
  readonly keys: PatternKey[];
  /** The segments for a route index; undefined when the pattern can't be indexed by segments. */
  readonly shape: PatternShape | undefined;
  /** What it was made from: text, a regular expression, or an array of these. */
  path: unknown;
  /** Where the last match began: 0, but for expressions that are not anchored, such as `/a|b`. */
  readonly index: number;
  /** The regular expression that Express would have made; built on first use and kept. */
  toRegExp(): RegExp;
  /**
   * Matches a path in time linear in its length (but for regular expressions that the user wrote).
   *
   * @param path the path of a request, not decoded
   * @param captures gets the raw text for each key, or undefined where its group took no part; what it holds is
   *   unspecified when the path does not match
   * @returns the length of the matched text (it begins at `index`), or -1 when the path does not match
   */
  match(path: string, captures: (string | undefined)[]): number;
}
