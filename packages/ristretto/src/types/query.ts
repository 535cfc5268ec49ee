/** How the parsing of query strings can be adjusted. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** Options of `web.query()` and of the extended parser of query strings. */
export interface QueryParserOptions {
  /** Read `a,b` as a list. */
  comma?: boolean | undefined;
  /** What separates the pairs, `&` by default. */
  delimiter?: string | RegExp | undefined;
  /** How many levels of `a[b][c]` become objects; what is deeper stays text. */
  depth?: number | false | undefined;
  /** Replaces the decoding of names and values. */
  // any: the declared types of parsers on npm differ in this argument
  decoder?: ((text: string, defaultDecoder: any, charset: string, type: 'key' | 'value') => any) | undefined;
  /** The greatest index that creates an array rather than an object. */
  arrayLimit?: number | undefined;
  /** Whether `a[]` and `a[0]` make lists. */
  parseArrays?: boolean | undefined;
  /** Make objects that have no prototype. */
  plainObjects?: boolean | undefined;
  /** Let names such as `hasOwnProperty` through. */
  allowPrototypes?: boolean | undefined;
  /** Keep holes in lists. */
  allowSparse?: boolean | undefined;
  /** Read `a.b` as `a[b]`. */
  allowDots?: boolean | undefined;
  /** Decode `%2E` in names to a dot; needs `allowDots`. */
  decodeDotInKeys?: boolean | undefined;
  /** The greatest number of pairs that are read. */
  parameterLimit?: number | undefined;
  /** Tell `a` (null) from `a=` (empty text). */
  strictNullHandling?: boolean | undefined;
  /** Skip a leading `?`. */
  ignoreQueryPrefix?: boolean | undefined;
  /** How percent escapes are decoded. */
  charset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Let a `utf8=✓` pair decide the charset. */
  charsetSentinel?: boolean | undefined;
  /** Decode `&#1234;` under `iso-8859-1`. */
  interpretNumericEntities?: boolean | undefined;
  /** Read `a[]=` as an empty list. */
  allowEmptyArrays?: boolean | undefined;
  /** What a name given twice becomes. */
  duplicates?: 'combine' | 'first' | 'last' | undefined;
  /** Fail on what is deeper than `depth`. */
  strictDepth?: boolean | undefined;
  /** Merge a list and an object of the same name strictly. */
  strictMerge?: boolean | undefined;
  /** Fail on more pairs than `parameterLimit`. */
  throwOnLimitExceeded?: boolean | undefined;
}

/** Turns a query string (without `?`) into an object. */
// any: parsers such as `qs.parse` and `querystring.parse` declare parameters and results of their own
export type QueryParser = (text: string, options?: any) => any;
