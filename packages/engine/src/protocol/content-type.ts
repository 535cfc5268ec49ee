/**
 * Content-Type: parses and formats its syntax (RFC 9110 section 8.3), and checks whether a body has one of certain
 * types. All of it is linear in the length of the header: every repetition below ends where the next element begins, so
 * that no pattern can backtrack.
 */
import { contentTypeOf, typeOfExtension } from './mime';

/** A parsed Content-Type. `type` is in lower case; `parameters` has no prototype and lower-case names. */
export interface ContentType {
  type: string;
  parameters: Record<string, string>;
}

/** A media type as `res.format` compares it; the result of `normalizeType`. */
export interface NormalizedType {
  value: string;
  quality?: number;
  params: Record<string, string | undefined>;
}

/** The headers that show that there is a body. */
interface BodyHeaders {
  'content-length'?: string;
  'transfer-encoding'?: string;
}

/** How to read a Content-Type for a comparison. */
interface TypeReading {
  /** Finds the media type of an extension. */
  typeOf?: (extension: string) => string | false;
  /** Whether malformed parameters make the type unknown; true by default. */
  readsParameters?: boolean;
}

const AS_WRITTEN: TypeReading = {};

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TOKEN_SLASH_TOKEN = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const TEXT = /^[\v\x20-\x7e\x80-\xff]+$/;

/** Matches one parameter with its semicolon, from `lastIndex` on: a name, then a quoted string or a token. */
const PARAMETER =
  /; *([\w!#$%&'*+.^`|~-]+) *= *("(?:[\v\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\v\x20-\xff])*"|[\w!#$%&'*+.^`|~-]+) */y;

/** The same for the type check, which accepts slightly less in quoted strings than the parser. */
const STRICT_PARAMETER =
  /; *([\w!#$%&'*+.^`|~-]+) *= *("(?:[\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\x20-\x7e])*"|[\w!#$%&'*+.^`|~-]+) */y;

/**
 * A media type according to RFC 6838: restricted names of at most 127 characters, with at most one structured syntax
 * suffix.
 */
const REGISTERED_TYPE =
  /^ *([a-z\d][\w!#$&^-]{0,126})\/([a-z\d][\w!#$&^.-]{0,126})(\+(?:[a-z\d][\w!#$&^-]{0,126})?)? *$/i;
const LONGEST_NAME = 127;
/** Does the same with any suffix, and accepts tabs: for types whose parameters are not read. */
const LENIENT_TYPE = /^[ \t]*([a-z\d][\w!#$&^-]{0,126}\/[a-z\d][\w!#$&^.+-]{0,126})[ \t]*$/i;

/**
 * Parses a Content-Type.
 * @throws TypeError if it is empty or malformed. If the value comes from a request, this is the client's mistake.
 * @example parseContentType('text/html; Charset="utf-8"'); // { type: 'text/html', parameters: { charset: 'utf-8' } }
 */
export function parseContentType(header: string): ContentType {
  if (!header) throw new TypeError('argument string is required');
  if (typeof header !== 'string') throw new TypeError('argument string is required to be a string');
  const semicolon = header.indexOf(';');
  const type = (semicolon < 0 ? header : header.slice(0, semicolon)).trim();
  if (!TOKEN_SLASH_TOKEN.test(type)) throw new TypeError('invalid media type');
  const parameters = Object.create(null) as Record<string, string>;
  if (semicolon >= 0 && !readParameters(header, semicolon, PARAMETER, parameters)) {
    throw new TypeError('invalid parameter format');
  }
  return { type: type.toLowerCase(), parameters };
}

/**
 * Formats a Content-Type, with the parameters in alphabetical order and quoted unless they are tokens.
 * @throws TypeError if the type, a parameter's name or a parameter's value is not allowed in the header.
 * @example formatContentType({ type: 'text/html', parameters: { charset: 'utf-8' } }); // 'text/html; charset=utf-8'
 */
export function formatContentType(contentType: ContentType): string {
  const { type, parameters } = contentType;
  if (!type || !TOKEN_SLASH_TOKEN.test(type)) throw new TypeError('invalid type');
  let formatted = type;
  for (const name of Object.keys(parameters).sort()) {
    if (!TOKEN.test(name)) throw new TypeError('invalid parameter name');
    formatted += `; ${name}=${quoteIfNeeded(String(parameters[name]))}`;
  }
  return formatted;
}

/**
 * Replaces or adds the charset of a Content-Type. Without a type or a charset, returns the type unchanged.
 * @throws TypeError if the type is malformed or the charset is not allowed in the header.
 * @example setCharset('text/html', 'utf-8'); // 'text/html; charset=utf-8'
 */
export function setCharset<Type extends string | undefined>(
  type: Type,
  charset: string | undefined,
): Type | string {
  if (!type || !charset) return type;
  const parsed = parseContentType(type);
  parsed.parameters.charset = charset;
  return formatContentType(parsed);
}

/**
 * Whether a message has a body, by its framing (RFC 9112 section 6.3): chunked, or with a length, even 0.
 */
export function hasBody(headers: BodyHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || !Number.isNaN(Number(headers['content-length']));
}

/**
 * Returns which of `types` a Content-Type matches.
 * @param value the value of the header. A missing or malformed one (`application/json garbage`) matches no type, and
 * one that matches here is also valid for {@link parseContentType}, so that check and parser agree on what a body is.
 * @param types media types, wildcards (`text/*`, or a suffix of any type: `+xml`), extensions (`json`), or the short
 * names `urlencoded` and `multipart`. If empty, any type matches.
 * @param reading how versions of the API differ
 * @returns the matching item of `types`, or for wildcards and suffixes the media type itself; false if none matches.
 * @example
 * typeIs('application/json; charset=utf-8', ['html', 'json']); // 'json'
 * typeIs('text/html', ['text/*']); // 'text/html'
 */
export function typeIs(
  value: string | undefined,
  types: readonly unknown[],
  { typeOf = typeOfExtension, readsParameters = true }: TypeReading = AS_WRITTEN,
): string | false {
  const actual = value ? bareType(value, readsParameters) : undefined;
  if (actual === undefined) return false;
  if (types.length === 0) return actual;
  for (const type of types) {
    if (typeof type !== 'string') continue;
    const expected = expand(type, typeOf);
    if (expected === false || !matches(expected, actual)) continue;
    return type.startsWith('+') || type.includes('*') ? actual : type;
  }
  return false;
}

/**
 * Converts a key of `res.format` to a media type: looks up an extension, or splits a media type from its parameters and
 * its quality. Quotes have no special meaning here.
 * @param typeOf finds the media type of an extension
 * @example
 * normalizeType('html'); // { value: 'text/html', params: {} }
 * normalizeType('text/html;level=1'); // { value: 'text/html', quality: 1, params: { level: '1' } }
 */
export function normalizeType(type: string, typeOf = contentTypeOf): NormalizedType {
  if (!type.includes('/')) return { value: typeOf(type)!, params: {} };
  let end = endOf(type, 0);
  const normalized: NormalizedType = {
    value: trimEndSpaces(type.slice(0, end)),
    quality: 1,
    params: {},
  };
  // Allocates no arrays: for thousands of empty parameters, that takes longer than reading them
  while (end < type.length) {
    const start = end + 1;
    end = endOf(type, start);
    const parameter = type.slice(start, end);
    const equals = parameter.indexOf('=');
    const name = trimSpaces(equals < 0 ? parameter : parameter.slice(0, equals));
    const text = equals < 0 ? undefined : trimSpaces(parameter.slice(equals + 1).split('=', 1)[0]!);
    if (name === 'q') normalized.quality = Number.parseFloat(text ?? '');
    else normalized.params[name] = text;
  }
  return normalized;
}

/** The position of the semicolon that ends a part, or the end of the text. */
function endOf(type: string, start: number): number {
  const semicolon = type.indexOf(';', start);
  return semicolon < 0 ? type.length : semicolon;
}

/** Applies {@link normalizeType} to each type. */
export function normalizeTypes(types: readonly string[]): NormalizedType[] {
  const normalized: NormalizedType[] = [];
  for (let at = 0; at < types.length; at++) normalized.push(normalizeType(types[at]!));
  return normalized;
}

/** Reads the parameters from the semicolon at `at` to the end; returns false if they are malformed. */
function readParameters(
  header: string,
  at: number,
  parameter: RegExp,
  into?: Record<string, string>,
): boolean {
  while (at < header.length) {
    parameter.lastIndex = at;
    const found = parameter.exec(header);
    if (found === null) return false;
    at = parameter.lastIndex;
    if (into) into[found[1]!.toLowerCase()] = unquote(found[2]!);
  }
  return true;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  const inner = value.slice(1, -1);
  return inner.includes('\\') ? inner.replace(/\\([\v\x20-\xff])/g, '$1') : inner;
}

function quoteIfNeeded(value: string): string {
  if (TOKEN.test(value)) return value;
  if (value !== '' && !TEXT.test(value)) throw new TypeError('invalid parameter value');
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

/** Returns the media type of a header without its parameters, in lower case, or undefined if any part is malformed. */
function bareType(value: string, readsParameters: boolean): string | undefined {
  const semicolon = value.indexOf(';');
  const name = semicolon < 0 ? value : value.slice(0, semicolon);
  if (!readsParameters) return LENIENT_TYPE.exec(name)?.[1]?.toLowerCase();
  const found = REGISTERED_TYPE.exec(name);
  if (found === null) return undefined;
  if (semicolon >= 0 && !readParameters(value, semicolon, STRICT_PARAMETER)) return undefined;
  const [, type = '', subtype = '', suffix = ''] = found;
  if (subtype.length + suffix.length > LONGEST_NAME) return undefined;
  return `${type}/${subtype}${suffix === '+' ? '' : suffix}`.toLowerCase();
}

/**
 * Expands a type as written in `req.is` to a media type, possibly with wildcards; returns false for an unknown
 * extension.
 */
export function expand(type: string, typeOf = typeOfExtension): string | false {
  if (type === 'urlencoded') return 'application/x-www-form-urlencoded';
  if (type === 'multipart') return 'multipart/*';
  if (type.startsWith('+')) return `*/*${type}`;
  return type.includes('/') ? type : typeOf(type);
}

/** Whether `expected`, which may have wildcards, covers the media type `actual`. */
function matches(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const slash = expected.indexOf('/');
  if (expected.includes('/', slash + 1)) return false;
  const type = expected.slice(0, slash);
  if (type !== '*' && !actual.startsWith(expected.slice(0, slash + 1))) return false;
  const subtype = expected.slice(slash + 1);
  if (subtype === '*') return true;
  const actualSubtype = actual.slice(actual.indexOf('/') + 1);
  if (!subtype.startsWith('*+')) return subtype === actualSubtype;
  return subtype.length <= actualSubtype.length + 1 && actualSubtype.endsWith(subtype.slice(1));
}

function trimSpaces(text: string): string {
  let start = 0;
  while (text.charCodeAt(start) === 0x20) start++;
  return trimEndSpaces(text.slice(start));
}

function trimEndSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return text.slice(0, end);
}
