/** What a path promises about `req.params`: the names and wildcards of a path literal, read by the compiler. */

type Lower =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'; // prettier-ignore
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Lower | Uppercase<Lower> | Digit | '_';

/**
 * Splits `id-:rest` into the leading name and what follows it: `['id', '-:rest']`. Eight characters are taken at a time
 * while they belong to the name, since TypeScript before 4.5 gives up after a few dozen steps.
 */
type SplitName<
  S extends string,
  Name extends string = '',
> = S extends `${infer A}${infer B}${infer C}${infer D}${infer E}${infer F}${infer G}${infer H}${infer Rest}`
  ? A | B | C | D | E | F | G | H extends NameCharacter
    ? SplitName<Rest, `${Name}${A}${B}${C}${D}${E}${F}${G}${H}`>
    : SplitNameEnd<S, Name>
  : SplitNameEnd<S, Name>;

type SplitNameEnd<S extends string, Name extends string> = S extends `${infer C}${infer Rest}`
  ? C extends NameCharacter
    ? SplitNameEnd<Rest, `${Name}${C}`>
    : [Name, S]
  : [Name, S];

/** A name is optional when `?` follows it, or follows its `*`. */
type NamedParameter<Name extends string, After extends string> = Name extends ''
  ? unknown
  : After extends `?${string}` | `*?${string}`
    ? Partial<Record<Name, string>>
    : Record<Name, string>;

type NamedParameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? SplitName<Rest> extends [infer Name, infer After]
    ? Name extends string
      ? After extends string
        ? NamedParameter<Name, After> & NamedParameters<After>
        : unknown
      : unknown
    : unknown
  : unknown;

/** Every `*` is a capture group of its own, numbered from 0, also the one behind a name. */
type Wildcards<Path extends string, Seen extends unknown[] = []> = Path extends `${string}*${infer Rest}`
  ? { [K in `${Seen['length']}`]: string } & Wildcards<Rest, [...Seen, unknown]>
  : unknown;

/** One object type, which editors show by its members: a type that has a name of its own would be shown by that. */
type Flatten<T> = T extends infer All ? { [K in keyof All]: All[K] } : never;

declare module 'express-serve-static-core' {
  /**
   * Parameters of a path that the compiler can't read (a variable, a regular expression, a list of paths).
   * Numbered keys are wildcards and capture groups.
   */
  interface ParamsDictionary {
    [key: string]: string;
    [key: number]: string;
  }

  /** Parameters of a path that has only numbered groups. */
  type ParamsArray = string[];

  /** Any parameters. */
  type Params = ParamsDictionary;

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
  type RouteParameters<Route extends string> = string extends Route
    ? ParamsDictionary
    : Route extends `${string}(${string}`
      ? Flatten<NamedParameters<Route> & {}> & ParamsDictionary
      : Flatten<NamedParameters<Route> & Wildcards<Route> & {}>;
}

export type { RouteParameters } from 'express-serve-static-core';
