/** What a case of the conformance table is, and short ways to write its bytes. */

export interface Case {
  title: string;
  section: string;
  /** What is sent on a connection of its own, all at once. */
  bytes: string;
  /** The outcomes that the specification allows; `*` stands for any text. */
  right: string[];
  /** Why our answer differs from Express's without `strict http`. */
  differs?: string;
  /** Why the answer is not right even under `strict http`; `RUNTIME` where the runtime gives it by itself. */
  open?: string;
}

export interface Group {
  name: string;
  cases: Case[];
}

/** The runtime answers before anybody is asked, or hides what was sent. */
export const RUNTIME = 'Node’s parser';
/** Whoever refuses it refuses browsers. */
export const BROWSERS = 'browsers send it';

/** A message of lines, ended by an empty one. */
export function head(...lines: string[]): string {
  return [...lines, '', ''].join('\r\n');
}

/** A request with a body, on a connection that may be used again. */
export function post(fields: string[], body: string): string {
  return head('POST /p HTTP/1.1', 'Host: a', ...fields) + body;
}

/** What is smuggled in where two readers disagree. */
export const SMUGGLED = head('GET /smuggled HTTP/1.1', 'Host: a');

/** Writes cases of a section in one line each. */
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
