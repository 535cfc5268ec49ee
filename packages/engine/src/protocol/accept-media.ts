/** The Accept header (RFC 9110 section 12.5.1): determines which of several media types a client prefers. */
import { choose, nameOf, namesByPreference, NO_MATCH } from './accept';
import type { Element, ReadParameters } from './accept';

const DOUBLE_QUOTE = 0x22;

const CONCRETE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** A media range of the header, or an offered media type. */
interface MediaRange extends Element {
  type: string;
  subtype: string;
  parameters: Record<string, string | undefined> | undefined;
}

/** How exactly a range matches a media type: the sum of the parts that match. */
const SAME_TYPE = 4;
const SAME_SUBTYPE = 2;
const SAME_PARAMETERS = 1;

/**
 * Returns all media ranges of an Accept header, the most preferred first, or a wildcard if there is no header.
 * @example acceptedMediaTypes('text/html;q=0.5, application/json'); // ['application/json', 'text/html']
 */
export function acceptedMediaTypes(header: string | undefined, read?: ReadParameters): string[] {
  return header === undefined ? ['*/*'] : namesByPreference(parseAccept(header, read));
}

/**
 * Chooses between media types by an Accept header.
 * @param offers media types, optionally with parameters; an invalid one (or `false`) is never chosen.
 * @returns the index of the best offer, or -1 if the client accepts none of them.
 * @example preferredMediaType('text/*, application/json;q=0.9', ['application/json', 'text/html']); // 1
 */
export function preferredMediaType(
  header: string,
  offers: readonly (string | false)[],
  read?: ReadParameters,
): number {
  // Fast path: `curl` and `fetch` accept anything, and clients of an API accept the one type that it offers.
  if (
    header === '*/*'
      ? offers.length > 0 && offers.every(isConcrete)
      : header === offers[0] && isConcrete(header)
  )
    return 0;
  return choose(parseAccept(header, read), offers.map(parseOffer), specificity);
}

/** Whether an offer is just a type, a slash and a subtype: no wildcards, no parameters or surrounding whitespace. */
function isConcrete(offer: string | false): boolean {
  return offer !== false && CONCRETE.test(offer);
}

function parseOffer(offer: string | false): MediaRange | undefined {
  return offer === false ? undefined : parseMediaRange(offer, 0);
}

function specificity(range: MediaRange, offer: MediaRange): number {
  let specific = 0;
  if (range.type === offer.type) specific += SAME_TYPE;
  else if (range.type !== '*') return NO_MATCH;
  if (range.subtype === offer.subtype) specific += SAME_SUBTYPE;
  else if (range.subtype !== '*') return NO_MATCH;
  if (range.parameters === undefined) return specific;
  return sameParameters(range.parameters, offer.parameters) ? specific + SAME_PARAMETERS : NO_MATCH;
}

/** Whether an offer has all the parameters of a range. A missing one equals an empty one. */
function sameParameters(
  asked: Record<string, string | undefined>,
  offered: Record<string, string | undefined> | undefined,
): boolean {
  for (const name in asked) {
    const value = asked[name] ?? '';
    if (value !== '*' && value.toLowerCase() !== (offered?.[name] ?? '').toLowerCase()) return false;
  }
  return true;
}

/**
 * Parses an Accept header into media ranges in the order of the header, with quality and parameters.
 * @example parseAccept('text/*;q=0.5')[0].subtype; // '*'
 */
export function parseAccept(header: string, read?: ReadParameters): MediaRange[] {
  const ranges: MediaRange[] = [];
  const texts = splitOutsideQuotes(header, ',');
  for (let order = 0; order < texts.length; order++) {
    const range = parseMediaRange(texts[order]!, order, read);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

function parseMediaRange(text: string, order: number, read?: ReadParameters): MediaRange | undefined {
  const semicolon = text.indexOf(';');
  const name = nameOf(text, semicolon);
  if (name === undefined) return undefined;
  const slash = name.indexOf('/');
  if (slash < 1 || slash === name.length - 1) return undefined;
  const lower = name.toLowerCase();
  const range: MediaRange = {
    name,
    quality: 1,
    order,
    type: lower.slice(0, slash),
    subtype: lower.slice(slash + 1),
    parameters: undefined,
  };
  const rest = semicolon < 0 ? '' : text.slice(semicolon + 1).trim();
  if (rest === '') return range;
  if (read === undefined) {
    readParameters(rest, range);
  } else {
    const { quality, others } = read(rest);
    range.quality = quality;
    range.parameters = others;
  }
  return range;
}

/** Reads the parameters up to the quality; anything after it is an extension that no one uses. */
function readParameters(text: string, range: MediaRange): void {
  for (const parameter of splitOutsideQuotes(text, ';')) {
    const [name, value] = splitParameter(parameter.trim());
    if (name === 'q') {
      range.quality = Number.parseFloat(value ?? '');
      return;
    }
    range.parameters ??= Object.create(null) as Record<string, string | undefined>;
    range.parameters[name] = value;
  }
}

function splitParameter(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toLowerCase(), undefined];
  const value = text.slice(equals + 1);
  const quoted = value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, equals).toLowerCase(), quoted ? value.slice(1, -1) : value];
}

/** Splits at a separator outside of quotes. An unclosed quote extends to the end. */
export function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  const code = separator.charCodeAt(0);
  let quoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const current = text.charCodeAt(at);
    if (current === DOUBLE_QUOTE) quoted = !quoted;
    else if (current === code && !quoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
