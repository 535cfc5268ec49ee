/** The argument types of `res.earlyHints`. */

/** A URL, alone or with the parameters of its link: `as`, `type`, `crossorigin` (RFC 8288, section 3.4). */
export type EarlyLink = string | { href: string; [parameter: string]: string | true | undefined };

/** Links by relation, or as values of the `Link` header. */
export type EarlyLinks =
  string | readonly string[] | Readonly<Record<string, EarlyLink | readonly EarlyLink[]>>;
