/** How the parsing of query strings can be adjusted. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */

/** Options of `web.query()`. Those that are unsupported throw: give it a function that calls `qs.parse` instead. */
export interface QueryParserOptions {
  /** Read `a,b` as a list. @default unsupported */
  comma?: boolean | undefined;
  /** What separates the pairs. @default unsupported */
  delimiter?: string | RegExp | undefined;
  /** How many levels of `a[b][c]` become objects; what is deeper stays text. @default 5 */
  depth?: number | false | undefined;
  /** Replaces the decoding of names and values. @default unsupported */
  // any: the declared types of parsers on npm differ in this argument
  decoder?: ((text: string, defaultDecoder: any, charset: string, type: 'key' | 'value') => any) | undefined;
  /** The greatest index that creates an array rather than an object. @default 20 */
  arrayLimit?: number | undefined;
  /** Whether `a[]` and `a[0]` make lists. @default unsupported */
  parseArrays?: boolean | undefined;
  /** Make objects that have no prototype. @default unsupported */
  plainObjects?: boolean | undefined;
  /** Let names such as `hasOwnProperty` through. @default false */
  allowPrototypes?: boolean | undefined;
  /** Keep holes in lists. @default unsupported */
  allowSparse?: boolean | undefined;
  /** Read `a.b` as `a[b]`. @default unsupported */
  allowDots?: boolean | undefined;
  /** Decode `%2E` in names to a dot; needs `allowDots`. @default unsupported */
  decodeDotInKeys?: boolean | undefined;
  /** The greatest number of pairs that are read. @default 1000 */
  parameterLimit?: number | undefined;
  /** Tell `a` (null) from `a=` (empty text). @default unsupported */
  strictNullHandling?: boolean | undefined;
  /** Skip a leading `?`. @default unsupported */
  ignoreQueryPrefix?: boolean | undefined;
  /** How percent escapes are decoded. @default unsupported */
  charset?: 'utf-8' | 'iso-8859-1' | undefined;
  /** Let a `utf8=✓` pair decide the charset. @default unsupported */
  charsetSentinel?: boolean | undefined;
  /** Decode `&#1234;` under `iso-8859-1`. @default unsupported */
  interpretNumericEntities?: boolean | undefined;
  /** Read `a[]=` as an empty list. @default unsupported */
  allowEmptyArrays?: boolean | undefined;
  /** What a name given twice becomes. @default unsupported */
  duplicates?: 'combine' | 'first' | 'last' | undefined;
  /** Fail on what is deeper than `depth`. @default false */
  strictDepth?: boolean | undefined;
  /** Merge a list and an object of the same name strictly. @default unsupported */
  strictMerge?: boolean | undefined;
  /** Fail on more pairs than `parameterLimit`. @default unsupported */
  throwOnLimitExceeded?: boolean | undefined;
}

/** Turns a query string (without `?`) into an object. */
// any: parsers such as `qs.parse` and `querystring.parse` declare parameters and results of their own
export type QueryParser = (text: string, options?: any) => any;
