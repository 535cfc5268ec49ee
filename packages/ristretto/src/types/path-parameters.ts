/** What a path promises about `req.params`: the names and wildcards of a path literal, read by the compiler. */

/** Values under names that are not known beforehand. */
export type Dictionary<T> = Record<string, T>;

/**
 * Parameters of a path that the compiler can't read (a variable, a regular expression, a list of paths).
 * Numbered keys are wildcards and capture groups.
 */
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- messages show the name of an interface
export interface ParamsDictionary {
  [key: string | number]: string;
}

/** Parameters of a path that has only numbered groups. */
export type ParamsArray = string[];

/** Any parameters. */
export type Params = ParamsDictionary;

/** A path, a regular expression, or a list of both: what every routing method takes as its first argument. */
export type PathParams = string | RegExp | (string | RegExp)[];

type Lower =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'; // prettier-ignore
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Lower | Uppercase<Lower> | Digit | '_';

/** Splits `id-:rest` into the leading name and what follows it: `['id', '-:rest']`. */
type SplitName<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends NameCharacter
    ? SplitName<Rest, `${Name}${C}`>
    : [Name, S]
  : [Name, S];

/** A name is optional when `?` follows it, or follows its `*`. */
type NamedParameter<Name extends string, After extends string> = Name extends ''
  ? unknown
  : After extends `?${string}` | `*?${string}`
    ? Partial<Record<Name, string>>
    : Record<Name, string>;

type NamedParameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? SplitName<Rest> extends [infer Name extends string, infer After extends string]
    ? NamedParameter<Name, After> & NamedParameters<After>
    : unknown
  : unknown;

/** Every `*` is a capture group of its own, numbered from 0, also the one behind a name. */
type Wildcards<Path extends string, Seen extends unknown[] = []> = Path extends `${string}*${infer Rest}`
  ? { [K in `${Seen['length']}`]: string } & Wildcards<Rest, [...Seen, unknown]>
  : unknown;

type Flatten<T> = { [K in keyof T]: T[K] };

/**
 * The parameters that a path promises.
 *
 * - `/users/:id/files/:name?` gives `{ id: string; name?: string }`
 * - `/flights/:from-:to` gives `{ from: string; to: string }`
 * - `/files/*` gives `{ 0: string }`
 * - a path with a group in parentheses gives the names it has, and any other key, since groups are numbered as well
 * - a path that is not a literal gives any keys
 *
 * @example
 * type Found = RouteParameters<'/users/:id'>; // { id: string }
 */
export type RouteParameters<Route extends string> = string extends Route
  ? ParamsDictionary
  : Route extends `${string}(${string}`
    ? Flatten<NamedParameters<Route> & {}> & ParamsDictionary
    : Flatten<NamedParameters<Route> & Wildcards<Route> & {}>;
