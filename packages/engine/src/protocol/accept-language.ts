/** Accept-Language (RFC 9110 section 12.5.4): determines which of several languages a client prefers. */
import { choose, nameOf, namesByPreference, NO_MATCH } from './accept';
import { splitOutsideQuotes } from './accept-media';
import type { Element, ReadParameters } from './accept';

/** A language range of the header, or an offered language: `en-GB` has the primary language `en`. */
interface LanguageRange extends Element {
  lower: string;
  primary: string;
}

/** How exactly a range matches a language. */
const EXACT = 4;
const OFFER_IS_PRIMARY = 2;
const RANGE_IS_PRIMARY = 1;
const WILD = 0;

/** Returns all languages of an Accept-Language header, the most preferred first, or `['*']` if there is no header. */
export function acceptedLanguages(header: string | undefined, read?: ReadParameters): string[] {
  return header === undefined ? ['*'] : namesByPreference(parseLanguages(header, read));
}

/**
 * Chooses between languages by an Accept-Language header. A range matches the same language best; then the language of
 * its region (`en-GB` matches `en`); then the regions of a language (`en` matches `en-GB`).
 * @returns the index of the best offer, or -1 if the client accepts none of them.
 * @example preferredLanguage('de, en-GB;q=0.8', ['en', 'fr']); // 0
 */
export function preferredLanguage(
  header: string | undefined,
  offers: readonly string[],
  read?: ReadParameters,
): number {
  return choose(parseLanguages(header ?? '*', read), offers.map(parseOffer), specificity);
}

function specificity(range: LanguageRange, offer: LanguageRange): number {
  if (range.lower === offer.lower) return EXACT;
  if (range.primary === offer.lower) return OFFER_IS_PRIMARY;
  if (range.lower === offer.primary) return RANGE_IS_PRIMARY;
  return range.lower === '*' ? WILD : NO_MATCH;
}

function parseOffer(offer: string): LanguageRange | undefined {
  return parseLanguage(offer, 0);
}

function parseLanguages(header: string, read?: ReadParameters): LanguageRange[] {
  const ranges: LanguageRange[] = [];
  const texts = read === undefined ? header.split(',') : splitOutsideQuotes(header, ',');
  for (let order = 0; order < texts.length; order++) {
    const range = parseLanguage(texts[order]!.trim(), order, read);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

function parseLanguage(text: string, order: number, read?: ReadParameters): LanguageRange | undefined {
  const semicolon = text.indexOf(';');
  const name = nameOf(text, semicolon);
  if (name === undefined) return undefined;
  const dash = name.indexOf('-');
  // A dash must be between two subtags.
  if (dash === 0 || (dash > 0 && dash === name.length - 1)) return undefined;
  const lower = name.toLowerCase();
  const primary = dash < 0 ? lower : lower.slice(0, dash);
  return { name, lower, primary, quality: semicolon < 0 ? 1 : qualityOf(text, semicolon, read), order };
}

/** Returns the last `q` among the parameters; unlike in the other headers, it must not follow a space. */
function qualityOf(text: string, semicolon: number, read?: ReadParameters): number {
  const parameters = text.slice(semicolon + 1);
  if (read !== undefined) return read(parameters).quality;
  let quality = 1;
  for (const parameter of parameters.split(';')) {
    const [name, value = ''] = parameter.split('=', 2);
    if (name === 'q') quality = Number.parseFloat(value);
  }
  return quality;
}
