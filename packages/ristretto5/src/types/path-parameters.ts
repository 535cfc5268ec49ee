/** Derives the type of `req.params` from a path in the syntax of path-to-regexp 8. */

type Letter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'; // prettier-ignore
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type NameCharacter = Letter | Uppercase<Letter> | Digit | '_' | '$';

/** Splits `id-:rest` into the leading name and what follows it: `['id', '-:rest']`. A name may be quoted. */
type SplitName<S extends string> = S extends `"${infer Name}"${infer Rest}`
  ? [Name, Rest]
  : SplitPlainName<S>;

type SplitPlainName<S extends string, Name extends string = ''> = S extends `${infer C}${infer Rest}`
  ? C extends NameCharacter
    ? SplitPlainName<Rest, `${Name}${C}`>
    : [Name, S]
  : [Name, S];

/** The parameters of a path without groups; the value of a wildcard is a list. */
type Captured<Path extends string> = Path extends `${infer Text}:${infer Rest}`
  ? Text extends `${string}*${string}`
    ? WildcardThen<Path>
    : SplitName<Rest> extends [infer Name, infer After]
      ? NamedThen<Name, string, After>
      : unknown
  : WildcardThen<Path>;

type WildcardThen<Path extends string> = Path extends `${string}*${infer Rest}`
  ? SplitName<Rest> extends [infer Name, infer After]
    ? NamedThen<Name, string[], After>
    : unknown
  : unknown;

type NamedThen<Name, Value, After> = Name extends string
  ? After extends string
    ? Record<Name, Value> & Captured<After>
    : unknown
  : unknown;

/** Parameters in a group are optional. The innermost groups are resolved first. */
type WithGroups<Path extends string> = Path extends `${infer Outer}}${infer After}`
  ? SplitLastBrace<Outer> extends [infer Before, infer Inner]
    ? GroupThen<Before, Inner, After>
    : unknown
  : Captured<Path>;

type GroupThen<Before, Inner, After extends string> = Before extends string
  ? Inner extends string
    ? WithGroups<`${Before}${After}`> & Partial<Captured<Inner>>
    : unknown
  : unknown;

/** The text before and after the last opening brace. */
type SplitLastBrace<S extends string, Before extends string = ''> = S extends `${infer Head}{${infer Tail}`
  ? Tail extends `${string}{${string}`
    ? SplitLastBrace<Tail, `${Before}${Head}{`>
    : [`${Before}${Head}`, Tail]
  : [Before, S];

/** Flattens to a single object type, so that editors show its members: of a named type, they would show the name. */
type Flatten<T> = T extends infer All ? { [K in keyof All]: All[K] } : never;

/** The parameters of a path that the compiler cannot parse (a variable, a regular expression, a list of paths). */
export interface ParamsDictionary {
  [key: string]: string | string[];
  [key: number]: string;
}

/**
 * The parameters of a path.
 *
 * - `/users/:id{/:tab}` gives `{ id: string; tab?: string }`
 * - `/files/*path` gives `{ path: string[] }`
 * - a path with an escape, or one that is not a literal, gives arbitrary keys
 * @example type Found = RouteParameters<'/users/:id'>; // { id: string }
 */
export type RouteParameters<Path extends string, Unknown = ParamsDictionary> = string extends Path
  ? Unknown
  : Path extends `${string}\\${string}`
    ? Unknown
    : Flatten<WithGroups<Path> & {}>;
