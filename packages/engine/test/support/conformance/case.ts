/** The type of a case in the conformance table, and short ways to write its bytes. */

export interface Case {
  title: string;
  section: string;
  /** What is sent, all at once, on a separate connection. */
  bytes: string;
  /** The outcomes that the specification allows; `*` matches any text. */
  right: string[];
  /** Why the default is wrong, as Express 4 is, where bare `node:http` is right. */
  kept?: string;
  /** Why our response differs from Express's without `strict http`. */
  differs?: string;
  /** Why the response is not right even under `strict http`; `RUNTIME` if Node sends it itself. */
  open?: string;
}

export interface Group {
  name: string;
  cases: Case[];
}

/** Node responds before the framework is called, or hides what was sent. */
export const RUNTIME = 'Node’s parser';
/** A server that rejects it rejects browsers. */
export const BROWSERS = 'browsers send it';

/** Joins the lines of a header block and ends it with an empty line. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}

/** A request with a body on a keep-alive connection. */
export function post(fields: string[], body: string): string {
  return head('POST /p HTTP/1.1', 'Host: a', ...fields) + body;
}

/** The request that is smuggled in if two parsers disagree. */
export const SMUGGLED = head('GET /smuggled HTTP/1.1', 'Host: a');

/** Builds the cases of a section from one row each. */
export function cases(
  section: string,
  rows: [title: string, bytes: string, right: string | string[], more?: Partial<Case>][],
): Case[] {
  return rows.map(([title, bytes, right, more]) => ({
    title,
    section,
    bytes,
    right: [right].flat(),
    ...more,
  }));
}
