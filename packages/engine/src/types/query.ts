/** Types for configuring the parsing of query strings. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** The options of `web.query()`. Unsupported options throw: pass a function that calls `qs.parse` instead. */
export interface QueryParserOptions {
  /** Parse `a,b` as an array. @default unsupported */
  comma?: boolean | undefined;
  /** The separator between pairs. @default unsupported */
  delimiter?: string | RegExp | undefined;
  /** How many levels of `a[b][c]` become objects; the rest of a deeper name becomes a single key. @default 5 */
  depth?: number | false | undefined;
  /** A function that replaces the decoding of names and values. @default unsupported */
  // Any: npm parsers declare various types for this argument
  decoder?: ((text: string, defaultDecoder: any, charset: string, type: 'key' | 'value') => any) | undefined;
  /** The greatest index that creates an array instead of an object. @default 20 */
  arrayLimit?: number | undefined;
  /** Whether `a[]` and `a[0]` create arrays. @default unsupported */
  parseArrays?: boolean | undefined;
  /** Create objects without a prototype. @default unsupported */
  plainObjects?: boolean | undefined;
  /** Allow names of `Object.prototype` members, such as `hasOwnProperty`. @default false */
  allowPrototypes?: boolean | undefined;
  /** Keep holes in arrays. @default unsupported */
  allowSparse?: boolean | undefined;
  /** Parse `a.b` as `a[b]`. @default unsupported */
  allowDots?: boolean | undefined;
  /** Decode `%2E` in names to a dot; requires `allowDots`. @default unsupported */
  decodeDotInKeys?: boolean | undefined;
  /** The maximum number of pairs to parse. @default 1000 */
  parameterLimit?: number | undefined;
  /** Distinguish `a` (null) from `a=` (empty string). @default unsupported */
  strictNullHandling?: boolean | undefined;
  /** Ignore a leading `?`. @default unsupported */
  ignoreQueryPrefix?: boolean | undefined;
  /** The charset of percent escapes. @default unsupported */
  charset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Detect the charset from a `utf8=✓` pair. @default unsupported */
  charsetSentinel?: boolean | undefined;
  /** Decode `&#1234;` with `iso-8859-1`. @default unsupported */
  interpretNumericEntities?: boolean | undefined;
  /** Parse `a[]=` as an empty array. @default unsupported */
  allowEmptyArrays?: boolean | undefined;
  /** How to handle names that occur more than once. @default unsupported */
  duplicates?: 'combine' | 'first' | 'last' | undefined;
  /** Throw for names nested deeper than `depth`. @default false */
  strictDepth?: boolean | undefined;
  /** Merge an array and an object of the same name strictly. @default unsupported */
  strictMerge?: boolean | undefined;
  /** Throw if there are more than `parameterLimit` pairs. @default unsupported */
  throwOnLimitExceeded?: boolean | undefined;
}

/** The limits of the extended parser, as the setting `query parser`: by default, those of Express 4. */
export interface QueryParserLimits {
  /** The most values that become an array; more become an object with the indexes as names. @default 1000 */
  arrayLimit?: number | undefined;
  /** How many levels of `a[b][c]` become objects; the rest of a deeper name becomes a single key. @default 5 */
  depth?: number | undefined;
  /** The maximum number of pairs to parse. @default 1000 */
  parameterLimit?: number | undefined;
  /** Throw for names nested deeper than `depth`. @default false */
  strictDepth?: boolean | undefined;
}

/** Parses a query string (without `?`) into an object. */
// Any: parsers such as `qs.parse` and `querystring.parse` declare their own parameter and return types
export type QueryParser = (text: string, options?: any) => any;
