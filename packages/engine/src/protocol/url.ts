/**
 * Splits a request target into path and query, in the same way for the router, `req.path`, `req.query` and
 * `req._parsedUrl`.
 */
import url = require('node:url');

/** The result of Node's legacy parser for a target, with the original text. `req._parsedUrl` is one of these. */
export interface ParsedTarget extends url.Url {
  _raw: string;
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const NO_BREAK_SPACE = 0xa0;
const BYTE_ORDER_MARK = 0xfeff;

const UNUSUAL = -2;

// Cached, because the router, the query and `req.path` read the same target one after the other.
let lastTarget = '';
let lastMark = UNUSUAL;

/** Calls `findQuestionMark`, with the last result cached. */
function questionMarkOf(target: string): number {
  if (target !== lastTarget) {
    lastMark = findQuestionMark(target);
    lastTarget = target;
  }
  return lastMark;
}

/**
 * Removes the beginning of the path from a target, and makes the rest begin with a slash.
 * @param target in origin form
 * @param count how many characters to remove
 * @example cutTarget('/users?a=1', 6); // '/?a=1'
 */
export function cutTarget(target: string, count: number): string {
  const rest = target.slice(count);
  const cut = rest.charCodeAt(0) === SLASH ? rest : '/' + rest;
  // The next lookup is for the rest, where the question mark is at a known position
  if (target === lastTarget && (lastMark === -1 || lastMark >= count)) {
    if (lastMark >= 0) lastMark += cut.length - target.length;
    lastTarget = cut;
  }
  return cut;
}

/**
 * Returns the index of the `?` of a common target (`/path?query`), -1 if it has none, or `UNUSUAL` if the target is
 * absolute, or has a fragment or whitespace, so that it needs the full parser.
 */
function findQuestionMark(target: string): number {
  if (target.charCodeAt(0) !== SLASH) return UNUSUAL;
  let mark = -1;
  for (let i = 1; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (code > HASH && code < NO_BREAK_SPACE && code !== QUESTION_MARK) continue;
    if (code === QUESTION_MARK) {
      if (mark < 0) mark = i;
    } else if (isUnusual(code)) {
      return UNUSUAL;
    }
  }
  return mark;
}

function isUnusual(code: number): boolean {
  switch (code) {
    case TAB:
    case LINE_FEED:
    case FORM_FEED:
    case CARRIAGE_RETURN:
    case SPACE:
    case HASH:
    case NO_BREAK_SPACE:
    case BYTE_ORDER_MARK:
      return true;
    default:
      return false;
  }
}

// eslint-disable-next-line @typescript-eslint/no-deprecated -- `new URL` resolves dot segments: another path than sent
const legacyParse = url.parse as (target: string) => url.UrlWithStringQuery;

/** Runs the full, slow parser; returns undefined if it fails (an invalid host in absolute form, not a string). */
function parseUnusual(target: string): url.UrlWithStringQuery | undefined {
  try {
    return legacyParse(target);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of a request target, against which routes are matched.
 * @param target the request target: origin form (`/a?b`), absolute form (`http://host/a?b`) or asterisk form (`*`)
 * @returns the path as it was sent, not decoded, or undefined if the target has none or cannot be parsed
 * @example
 * pathnameOf('/pets?sort=name'); // '/pets'
 * pathnameOf('http://example.com/pets'); // '/pets'
 * @see RFC 9112, section 3.2
 */
export function pathnameOf(target: string): string | undefined {
  const mark = questionMarkOf(target);
  if (mark === -1) return target;
  if (mark >= 0) return target.slice(0, mark);
  return parseUnusual(target)?.pathname ?? undefined;
}

/**
 * Returns the query of a request target without its `?`, for query parsers.
 * @returns the text after the first `?`, or null if there is no `?`, unlike `''` after a bare one
 * @example
 * queryOf('/pets?sort=name'); // 'sort=name'
 * queryOf('/pets?'); // ''
 * queryOf('/pets'); // null
 */
export function queryOf(target: string): string | null {
  const mark = questionMarkOf(target);
  if (mark === -1) return null;
  if (mark >= 0) return target.slice(mark + 1);
  return parseUnusual(target)?.query ?? null;
}

/**
 * Returns the length of `scheme://authority` of a target in absolute form: the part of `req.url` that is kept when a
 * mount path after it is stripped.
 * @returns the number of characters before the path; 0 for any other form, or if no path follows
 * @example
 * protohostLength('http://example.com/pets'); // 18
 * protohostLength('/pets'); // 0
 */
export function protohostLength(target: string): number {
  if (target.length === 0 || target.charCodeAt(0) === SLASH) return 0;
  const scheme = target.indexOf('://');
  if (scheme < 0) return 0;
  const mark = target.indexOf('?');
  if (mark >= 0 && mark < scheme + 3) return 0;
  return Math.max(target.indexOf('/', scheme + 3), 0);
}

/**
 * Returns all parts of a request target in the form of `parseurl`, for tools that read `req._parsedUrl`.
 * @returns a `url.Url`, with the target itself as `_raw`
 * @throws TypeError `ERR_INVALID_URL` for an absolute target with an invalid host
 * @example parseTarget('/pets?sort=name').search; // '?sort=name'
 */
export function parseTarget(target: string): ParsedTarget {
  const mark = questionMarkOf(target);
  if (mark === UNUSUAL) {
    const parsed = legacyParse(target) as ParsedTarget;
    parsed._raw = target;
    return parsed;
  }
  const parsed = new UrlObject();
  parsed.path = target;
  parsed.href = target;
  parsed.pathname = mark < 0 ? target : target.slice(0, mark);
  if (mark >= 0) {
    parsed.search = target.slice(mark);
    parsed.query = target.slice(mark + 1);
  }
  parsed._raw = target;
  return parsed;
}

// Node exports this constructor, but its type definitions declare it only as an interface.
const UrlObject = (url as unknown as { Url: new () => ParsedTarget }).Url;
