/** The names of the settings that the framework knows, and the types of their values. */
/* eslint-disable @typescript-eslint/no-explicit-any -- each use has its reason beside it */
import type { SettingName, SettingSwitch, SettingValue } from 'express-serve-static-core';
import type { QueryParser } from './query';

/**
 * The settings for which a name that is one letter off is always a mistake. `tag` may be an application's own setting, and
 * `strict https` too; `veiw engine` is a mistake.
 */
type LongName = Exclude<Extract<SettingName, `${string} ${string}`>, 'strict http'> | 'x-powered-by';

/**
 * The setting that a name is one letter away from: added, missing, replaced, or swapped with the next one. One of the two
 * parts around the space is right then, which rules out most settings at little cost.
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

/** A name taken apart at each pair of letters: what is before, the two letters, what is after, and the name. */
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

/** Whether a letter is missing of two or added, or one is replaced, or they are swapped. */
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

  /** Says whether the address of a proxy, `hop` steps from this server, is trusted. */
  type TrustFunction = (address: string, hop: number) => boolean;

  /** What the setting `error logger` is called with. */
  interface ErrorLogEntry {
    /** What has happened: a constant text. */
    message: string;
    /** What was thrown, rejected with or passed to `next`. */
    error: unknown;
    /** Undefined where the error belongs to no request. */
    req?: Request;
    /** The response to `req`. */
    res?: Response;
  }

  /** The values that a setting takes, by its name. Any other name takes any value. */
  interface Settings {
    /** `/Foo` and `/foo` are different routes. */
    'case sensitive routing': boolean | null;
    /** The mode. @default `process.env.NODE_ENV`, or `'development'` */
    env: string;
    /**
     * Gets the errors that no handler took, in place of the standard error, and in tests too: a function, or a logger with
     * a method `error(fields, message)`, such as pino. Null for the standard error.
     * @example app.set('error logger', ({ error, req }) => report(error, req?.path));
     */
    'error logger':
      | ((entry: ErrorLogEntry) => void)
      | { error(fields: { err: unknown; req?: Request; res?: Response }, message: string): void }
      | null;
    /**
     * Explain errors that no handler took in development, on a page and in the log; false for the page and
     * the log of Express. Text is a URL that opens an editor, with `{file}`, `{line}` and `{column}`: the page then links to it.
     * It has no effect where `env` or `NODE_ENV` is not development. See docs/guide/error-page.md.
     * @default true
     * @since 4.51.0
     * @example app.set('error page', 'vscode://file/{file}:{line}:{column}');
     */
    'error page': boolean | string;
    /** Entity tags of responses: `'weak'` (or true), `'strong'`, false for none, or a function. */
    etag: boolean | 'weak' | 'strong' | EtagFunction | null;
    /** The query parameter that names the function in `res.jsonp()`. */
    'jsonp callback name': string;
    /** Escape `<`, `>` and `&` in JSON responses. */
    'json escape': boolean | null;
    /** The second argument of `JSON.stringify`. */
    // any: JSON.stringify declares it so
    'json replacer': ((this: any, key: string, value: any) => any) | (string | number)[] | null;
    /** The third argument of `JSON.stringify`. */
    'json spaces': string | number | null;
    /** `'extended'`, `'simple'` (or true), false for none, or a function. */
    'query parser': boolean | 'extended' | 'simple' | QueryParser;
    /**
     * Requests and responses by the letter of RFC 9110 and RFC 9112: see docs/proofs/conformance.md. Set it on the application
     * that gets the requests first.
     */
    'strict http': boolean | null;
    /** `/foo` and `/foo/` are different routes. */
    'strict routing': boolean | null;
    /**
     * Milliseconds after which a request without a response is warned of in development; 0 or false for no such
     * warnings. See docs/guide/warnings.md.
     * @default 10_000
     */
    'stuck warning': number | false | null;
    /** How many labels at the end of the host name `req.subdomains` leaves out. */
    'subdomain offset': number;
    /** Proxies to trust: all, a number of hops, addresses and subnets (comma-separated or a list), or a function. */
    'trust proxy': boolean | number | string | string[] | TrustFunction | null;
    /** The directory of the views, or several in the order they are searched. */
    views: string | string[];
    /** Keep compiled views. @default `true` where `env` is `production` */
    'view cache': boolean | null;
    /** The extension of views that are named without one. */
    'view engine': string;
    /**
     * Warn of mistakes in development: false for none of this application. See docs/guide/warnings.md.
     * @default true
     */
    warnings: boolean | null;
    /** Send `X-Powered-By`. */
    'x-powered-by': boolean | null;
  }

  /** The name of a setting that the framework knows. */
  type SettingName = keyof Settings;

  /**
   * What a setting of this name takes: for a name that the framework does not know, anything, unless it is one letter away
   * from a name of several words that it knows.
   */
  // any: applications keep whatever they like under their own names
  type SettingValue<Name extends string> = Name extends SettingName
    ? Settings[Name] | undefined
    : Misspelt<Name> extends never
      ? any
      : { 'there is no such setting, did you mean': Misspelt<Name> };

  /**
   * What a setting of this name reads as. Only settings that always hold one kind of value are given a type; the others
   * may hold several kinds, and a program knows which it has set.
   */
  type SettingRead<Name extends string> = Name extends 'env' | 'jsonp callback name' | 'subdomain offset'
    ? Settings[Name]
    : any;

  /** The name itself, when the setting can be switched on and off. */
  type SettingSwitch<Name extends string> = Name extends SettingName
    ? true extends Settings[Name]
      ? Name
      : never
    : Misspelt<Name> extends never
      ? Name
      : never;

  /** `app.get(name)`: reads a setting. */
  type SettingReader = <Name extends SettingName | (string & {})>(name: Name) => SettingRead<Name>;
}

/** The members of an application that read and write settings. */
export interface SettingsMembers {
  /**
   * Give a setting a value.
   * @returns the application, or the value where none is given
   * @throws TypeError for values of `etag`, `query parser` and `trust proxy` that have no meaning
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
   * Whether a setting is on, that is, counts as true.
   * @returns true or false
   * @example app.enabled('etag'); // true
   */
  enabled(setting: SettingName | (string & {})): boolean;
  /**
   * Whether a setting is off, that is, counts as false.
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
   * The values of all settings, own ones first, then those of the application this one is mounted in.
   * @example app.settings['view engine']; // 'html'
   */
  // any: applications keep whatever they like in it, and engines read it freely
  settings: any;
}
