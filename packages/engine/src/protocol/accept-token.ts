/** Accept-Charset and Accept-Encoding (RFC 9110 sections 12.5.2 and 12.5.3): the two headers that list plain tokens. */
import { choose, nameOf, namesByPreference, NO_MATCH } from './accept';
import type { Element, ReadParameters } from './accept';
import { splitOutsideQuotes } from './accept-media';

/** A token of the header. */
interface Token extends Element {
  lower: string;
}

const EXACT = 1;
const WILD = 0;

/** Returns all charsets of an Accept-Charset header, the most preferred first, or `['*']` if there is no header. */
export function acceptedCharsets(header: string | undefined, read?: ReadParameters): string[] {
  return header === undefined ? ['*'] : namesByPreference(parseTokens(header, read));
}

/**
 * Chooses between charsets by an Accept-Charset header.
 * @returns the index of the best offer, or -1 if the client accepts none of them.
 * @example preferredCharset('iso-8859-1;q=0.5, utf-8', ['iso-8859-1', 'utf-8']); // 1
 */
export function preferredCharset(
  header: string | undefined,
  offers: readonly string[],
  read?: ReadParameters,
): number {
  return choose(parseTokens(header ?? '*', read), offers.map(lowerCase), specificity);
}

/**
 * Returns all codings of an Accept-Encoding header, the most preferred first, including `identity` unless it is
 * refused.
 */
export function acceptedEncodings(header: string | undefined, read?: ReadParameters): string[] {
  return namesByPreference(withIdentity(header ?? '', read));
}

/**
 * Chooses between content codings by an Accept-Encoding header.
 * @returns the index of the best offer, or -1 if the client accepts none of them.
 * @example preferredEncoding('gzip, br;q=0.9', ['br', 'gzip']); // 1
 */
export function preferredEncoding(
  header: string | undefined,
  offers: readonly string[],
  read?: ReadParameters,
): number {
  return choose(withIdentity(header ?? '', read), offers.map(lowerCase), specificity);
}

/**
 * Returns the codings that an Accept-Encoding header prefers to no coding or rates equally, the most preferred first,
 * and those of equal quality in the order offered.
 * @example codingsByPreference('gzip, br, zstd;q=0.5', ['br', 'zstd', 'gzip']); // ['br', 'gzip', 'zstd']
 */
export function codingsByPreference<Coding extends string>(
  header: string,
  offers: readonly Coding[],
): Coding[] {
  const tokens = parseTokens(header);
  const least = qualityFor('identity', tokens) || 0;
  const liked = offers.map(coding => ({ coding, quality: qualityFor(coding, tokens) || 0 }));
  return liked
    .filter(({ quality }) => quality > 0 && quality >= least)
    .sort((a, b) => b.quality - a.quality)
    .map(({ coding }) => coding);
}

/** Whether an Accept-Encoding header refuses a response without a content coding. */
export function refusesIdentity(header: string): boolean {
  return qualityFor('identity', parseTokens(header)) === 0;
}

/** Returns the quality of the token that names the offer, or else of `*`, or undefined if there is neither. */
function qualityFor(offer: string, tokens: readonly Token[]): number | undefined {
  const token = tokens.find(({ lower }) => lower === offer) ?? tokens.find(({ lower }) => lower === '*');
  return token?.quality;
}

function specificity(token: Token, offer: string): number {
  if (token.lower === offer) return EXACT;
  return token.lower === '*' ? WILD : NO_MATCH;
}

/** Returns the tokens, with `identity` as the least preferred one unless the header names it or covers it with `*`. */
function withIdentity(header: string, read?: ReadParameters): Token[] {
  const tokens = parseTokens(header, read);
  let least = 1;
  for (const token of tokens) {
    if (specificity(token, 'identity') !== NO_MATCH) return tokens;
    // A quality of 0, or a malformed one, implies nothing about other codings.
    least = Math.min(least, token.quality || 1);
  }
  tokens.push({ name: 'identity', lower: 'identity', quality: least, order: header.length });
  return tokens;
}

function parseTokens(header: string, read?: ReadParameters): Token[] {
  const tokens: Token[] = [];
  const texts = read === undefined ? header.split(',') : splitOutsideQuotes(header, ',');
  for (let order = 0; order < texts.length; order++) {
    const text = texts[order]!;
    const semicolon = text.indexOf(';');
    const name = nameOf(text, semicolon);
    if (name === undefined) continue;
    tokens.push({
      name,
      lower: name.toLowerCase(),
      quality: semicolon < 0 ? 1 : qualityOf(text, semicolon, read),
      order,
    });
  }
  return tokens;
}

/** Returns the first `q` among the parameters after the semicolon. */
function qualityOf(text: string, semicolon: number, read?: ReadParameters): number {
  const parameters = text.slice(semicolon + 1);
  if (read !== undefined) return read(parameters).quality;
  for (const parameter of parameters.split(';')) {
    const [name, value = ''] = parameter.trim().split('=', 2);
    if (name === 'q') return Number.parseFloat(value);
  }
  return 1;
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}
