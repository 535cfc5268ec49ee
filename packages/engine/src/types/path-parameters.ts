/** Infers the type of `req.params` from the names and wildcards of a path literal. */

type Lower =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'; // prettier-ignore
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Lower | Uppercase<Lower> | Digit | '_';

/**
 * Splits `id-:rest` into the leading name and the rest: `['id', '-:rest']`. It consumes eight characters at a time
 * while they belong to the name, because TypeScript before 4.5 gives up after a few dozen steps.
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

/** A name is optional if `?` follows it or its `*`. */
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

/** Every `*` is a separate capture group, numbered from 0, including one after a name. */
type Wildcards<Path extends string, Seen extends unknown[] = []> = Path extends `${string}*${infer Rest}`
  ? { [K in `${Seen['length']}`]: string } & Wildcards<Rest, [...Seen, unknown]>
  : unknown;

/** Flattens to a single object type, so that editors show its members: of a named type, they would show the name. */
type Flatten<T> = T extends infer All ? { [K in keyof All]: All[K] } : never;

declare module 'express-serve-static-core' {
  /**
   * The parameters of a path that the compiler cannot parse (a variable, a regular expression, an array of paths).
   * Numeric keys are wildcards and capture groups.
   */
  interface ParamsDictionary {
    [key: string]: string;
    [key: number]: string;
  }

  /** The parameters of a path with numbered groups only. */
  type ParamsArray = string[];

  /** The default type of parameters. */
  type Params = ParamsDictionary;

  /**
   * The parameters of a path.
   *
   * - `/users/:id/files/:name?` has `{ id: string; name?: string }`
   * - `/flights/:from-:to` has `{ from: string; to: string }`
   * - `/files/*` has `{ 0: string }`
   * - a path with a group in parentheses has its names and any other key, because groups are also numbered
   * - a path that is not a literal has any keys
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
