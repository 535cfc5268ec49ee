/** The names of the framework's settings and the types of their values. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type { SettingName, SettingSwitch, SettingValue } from 'express-serve-static-core';
import type { QueryParser, QueryParserLimits } from './query';

/**
 * The settings for which a name that is one letter off is always a mistake. `tag` may be an application's own setting,
 * and so may `strict https`; `veiw engine` is a mistake.
 */
type LongName = Exclude<Extract<SettingName, `${string} ${string}`>, 'strict http'> | 'x-powered-by';

/**
 * The setting whose name is one edit away: a letter added, missing, replaced, or swapped with the next one. One of the
 * two parts around the space is then correct, which rules out most settings cheaply.
 */
type Misspelt<Name extends string, Known = LongName> = string extends Name
  ? never
  : Known extends `${infer First} ${infer Rest}`
    ? Lowercase<Name> extends `${First}${string}` | `${string}${Rest}`
      ? Closest<Lowercase<Name>, Cut<Known>>
      : never
    : Known extends string
      ? Closest<Lowercase<Name>, Cut<Known>>
      : never;

/** A name split at each pair of letters: the text before, the two letters, the text after, and the name. */
type Cut<
  Name extends string,
  Rest extends string = Name,
  Head extends string = '',
> = Rest extends `${infer A}${infer B}${infer Tail}`
  ? [Head, A, B, Tail, Name] | Cut<Name, `${B}${Tail}`, `${Head}${A}`>
  : never;

type Closest<Name extends string, C> = C extends [infer Head, infer A, infer B, infer Tail, infer Known]
  ? Name extends `${Text<Head>}${infer Middle}${Text<Tail>}`
    ? IsOneEdit<Middle, Text<A>, Text<B>> extends true
      ? Known
      : never
    : never
  : never;

type Text<T> = T extends string ? T : never;

/** Whether one of two letters is missing, added or replaced, or they are swapped. */
type IsOneEdit<M extends string, A extends string, B extends string> = M extends A | B | `${B}${A}`
  ? true
  : M extends `${infer _1}${infer _2}${infer Rest}`
    ? Rest extends ''
      ? Fits<M, `${A}${string}` | `${string}${B}`>
      : Rest extends `${infer _3}${infer More}`
        ? More extends ''
          ? Fits<M, `${A}${B}${string}` | `${A}${string}${B}` | `${string}${A}${B}`>
          : false
        : false
    : false;

type Fits<M, Pattern> = M extends Pattern ? true : false;

declare module 'express-serve-static-core' {
  /** Computes the entity tag of a response, or undefined for none. */
  type EtagFunction = (body: Buffer | string, encoding?: BufferEncoding) => string | undefined;

  /** Decides whether the address of a proxy, `hop` steps from this server, is trusted. */
  type TrustFunction = (address: string, hop: number) => boolean;

  /** The argument of the setting `error logger`. */
  interface ErrorLogEntry {
    /** A constant text that describes what happened. */
    message: string;
    /** The value that was thrown, rejected with, or passed to `next`. */
    error: unknown;
    /** The request; undefined if the error does not belong to one. */
    req?: Request;
    /** The response to `req`. */
    res?: Response;
    /** Of an error in a listener of a WebSocket: the id (`req.id`) of the request that has opened it, if it had one. */
    requestId?: unknown;
  }

  /** The values of settings by name. Other names accept any value. */
  interface Settings {
    /** Treat `/Foo` and `/foo` as different routes. */
    'case sensitive routing': boolean | null;
    /** The environment mode. @default `process.env.NODE_ENV`, or `'development'` */
    env: string;
    /**
     * Receives unhandled errors instead of the standard error, also in tests: a function, or a logger with a method
     * `error(fields, message)`, such as pino. Null for the standard error.
     * @example app.set('error logger', ({ error, req }) => report(error, req?.path));
     */
    'error logger':
      | ((entry: ErrorLogEntry) => void)
      | { error(fields: { err: unknown; req?: Request; res?: Response }, message: string): void }
      | null;
    /**
     * Explain unhandled errors in development, on a page and in the log; false for the page and the log of Express. A
     * string is a URL that opens an editor, with `{file}`, `{line}` and `{column}`: the page then links to it. It has
     * no effect if `env` or `NODE_ENV` is not development, and on requests of other machines. See https://github.com/ristretto-web/ristretto/blob/main/docs/guide/error-page.md.
     * @default true
     * @example app.set('error page', 'vscode://file/{file}:{line}:{column}');
     */
    'error page': boolean | string;
    /**
     * Host names under which the error page is shown besides `localhost` and loopback addresses, without ports; one that
     * begins with a dot includes the names below it. Requests of other machines, or through a proxy, never get the page, nor do
     * browsers that have not opened the link in the terminal.
     * @example app.set('error page hosts', ['shop.test', '.dev.example']);
     */
    'error page hosts': readonly string[] | null;
    /**
     * How errors that no handler handles, and requests that no handler responds to, are sent: `'problem'` for problem
     * details (RFC 9457), except to clients that prefer HTML; `'html'` for the pages of Express. With `'problem'`, errors of
     * multer and malformed forms, which have no status, are 413 and 400.
     * @default 'html'
     * @example app.set('error format', 'problem');
     */
    'error format': 'problem' | 'html';
    /**
     * The entity tags of responses: `'weak'` (or true), `'strong'`, false for none, or a function.
     * @throws TypeError for another value
     */
    etag: boolean | 'weak' | 'strong' | EtagFunction | null;
    /** The query parameter that names the function in `res.jsonp()`. */
    'jsonp callback name': string;
    /** Escape `<`, `>` and `&` in JSON responses. */
    'json escape': boolean | null;
    /** The second argument of `JSON.stringify`. */
    // Any: JSON.stringify declares it
    'json replacer': ((this: any, key: string, value: any) => any) | (string | number)[] | null;
    /** The third argument of `JSON.stringify`. */
    'json spaces': string | number | null;
    /**
     * How long servers of `app.listen` keep an idle connection open: Node's `server.keepAliveTimeout`, in milliseconds or
     * text such as `'75s'`. Behind a load balancer it must be longer than that keeps connections, which is often 60
     * seconds: it would send requests on connections that are just being closed.
     * @default Node's, 5 seconds
     * @throws TypeError or RangeError for anything else
     * @example app.set('keep-alive timeout', '75s');
     */
    'keep-alive timeout': number | string | null;
    /**
     * Serve ordinary HTTP/1.1 requests without what Node's server keeps for each. Nothing but the speed should differ;
     * disable it to find out whether it does. The environment variable `RISTRETTO_LIGHT_MESSAGES=off` does the same for a
     * process.
     * @default true
     * @example app.disable('light messages');
     */
    'light messages': boolean | null;
    /** Send 405 with `Allow`, instead of 404, for a path that has handlers for other methods only. @default false */
    'method not allowed': boolean | null;
    /**
     * How query strings are parsed: `'extended'`, or its limits as an object; `'simple'` (or true), false to disable, or a
     * function. With 5.x, `'extended'` makes an object of more than 20 values, as Express 5 does.
     * @throws TypeError for anything else
     * @example app.set('query parser', { arrayLimit: 1000 });
     */
    'query parser': boolean | 'extended' | 'simple' | QueryParserLimits | QueryParser;
    /**
     * Keep what middleware writes to `req.query`, which is then parsed once, at the first read; otherwise, 5.x parses it
     * at each read, and it cannot be assigned. Without effect in 3.x and 4.x, where it is always writable.
     * @default false
     * @example app.enable('query writable'); // for express-mongo-sanitize, hpp and others
     */
    'query writable': boolean | null;
    /**
     * Apply RFC 9110 and RFC 9112 strictly to requests and responses: see https://github.com/ristretto-web/ristretto/blob/main/docs/proofs/conformance.md. Set it on the
     * outermost application.
     */
    'strict http': boolean | null;
    /** Treat `/foo` and `/foo/` as different routes. */
    'strict routing': boolean | null;
    /**
     * The time, in milliseconds or text such as `'30s'`, after which a request without a response causes a warning in development; 0 or false disables these
     * warnings. See https://github.com/ristretto-web/ristretto/blob/main/docs/troubleshooting/warnings.md.
     * @default 10_000
     */
    'stuck warning': number | string | false | null;
    /** The number of labels at the end of the host name that `req.subdomains` omits. */
    'subdomain offset': number;
    /**
     * The proxies to trust: true for all, a number of hops, addresses and subnets (comma-separated or an array), or a
     * function.
     * @throws TypeError for an invalid address or subnet
     */
    'trust proxy': boolean | number | string | string[] | TrustFunction | null;
    /** The directory of the views, or several, in the order in which they are searched. */
    views: string | string[];
    /** Cache compiled views. @default `true` if `env` is `production` */
    'view cache': boolean | null;
    /** The default extension of views. */
    'view engine': string;
    /**
     * Warn about mistakes in development; false disables the warnings of this application. See https://github.com/ristretto-web/ristretto/blob/main/docs/troubleshooting/warnings.md.
     * @default true
     */
    'development warnings': boolean | null;
    /** Send the `X-Powered-By` header. */
    'x-powered-by': boolean | null;
  }

  /** The name of a setting of the framework. */
  type SettingName = keyof Settings;

  /**
   * The values that a setting accepts: any value for a name that the framework does not define, unless it is one letter
   * away from a defined name of several words.
   */
  // Any: applications store any values under their own names
  type SettingValue<Name extends string> = Name extends SettingName
    ? Settings[Name] | undefined
    : Misspelt<Name> extends never
      ? any
      : { 'there is no such setting, did you mean': Misspelt<Name> };

  /**
   * The type of a setting when it is read. Only settings that always hold one type of value are typed; for others, the
   * program knows what it has set.
   */
  type SettingRead<Name extends string> = Name extends 'env' | 'jsonp callback name' | 'subdomain offset'
    ? Settings[Name]
    : any;

  /** The name itself, if the setting can be enabled and disabled; otherwise, a type that says why not. */
  type SettingSwitch<Name extends string> = Name extends SettingName
    ? true extends Settings[Name]
      ? Name
      : { 'this setting is not on or off, use app.set': Name }
    : Misspelt<Name> extends never
      ? Name
      : { 'there is no such setting, did you mean': Misspelt<Name> };

  /** `app.get(name)`: reads a setting. */
  type SettingReader = <Name extends SettingName | (string & {})>(name: Name) => SettingRead<Name>;
}

/** The members of an application that read and write settings. */
export interface SettingsMembers {
  /**
   * Set a setting to a value.
   * @returns the application, or the current value if none is passed
   * @throws TypeError for invalid values of `etag`, `query parser` and `trust proxy`
   * @example
   * app.set('json spaces', 2).set('title', 'My site');
   * app.get('/', (req, res) => res.json({ title: app.get('title') }));
   * // GET / -> 200 {\n  "title": "My site"\n}
   */
  set<Name extends SettingName | (string & {})>(setting: Name, value: SettingValue<Name>): this;
  /**
   * Read a setting, like `app.get(name)`.
   * @example app.set('env'); // 'development'
   */
  set(setting: string): any;
  /**
   * Check whether a setting is truthy.
   * @returns true or false
   * @example app.enabled('etag'); // true
   */
  enabled(setting: SettingName | (string & {})): boolean;
  /**
   * Check whether a setting is falsy.
   * @returns true or false
   * @example app.disabled('case sensitive routing'); // true
   */
  disabled(setting: SettingName | (string & {})): boolean;
  /**
   * Set a setting to true.
   * @example
   * app.enable('strict routing');
   * app.get('/users', show);
   * // GET /users/ -> 404
   */
  enable<Name extends SettingName | (string & {})>(setting: Name & SettingSwitch<Name>): this;
  /**
   * Set a setting to false.
   * @example
   * app.disable('x-powered-by');
   * // GET / -> 404 (no X-Powered-By)
   */
  disable<Name extends SettingName | (string & {})>(setting: Name & SettingSwitch<Name>): this;
  /**
   * The values of all settings: the application's own, and those inherited from its parent application.
   * @example app.settings['view engine']; // 'html'
   */
  // Any: applications store any values in it, and engines read them freely
  settings: any;
}
