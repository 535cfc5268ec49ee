/** The grammar of header values, each with the section that defines it. */

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const QUOTED = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const OWS = '[ \\t]*';
const PARAMETERS = `(?:${OWS};${OWS}(?:${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*`;

/** `1#element`, and `#element`, which may be empty; empty members are for recipients only (RFC 9110, section 5.6.1). */
const some = (element: string): string => `(?:${element})(?:${OWS},${OWS}(?:${element}))*`;
const list = (element: string): string => `(?:${some(element)})?`;
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);

/** RFC 9110, section 5.6.2. */
export const token = whole(TOKEN);
/** RFC 9110, section 5.5: visible characters, spaces, tabs, and bytes above ASCII. */
export const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/** RFC 9112, section 4. */
export const reasonPhrase = /^[\t\x20-\x7e\x80-\xff]*$/;
/** RFC 9110, section 8.8.3. */
export const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
/** RFC 9110, section 8.3.1. */
export const mediaType = whole(`${TOKEN}/${TOKEN}${PARAMETERS}`);
/** RFC 9111, section 5.2. */
export const cacheControl = whole(list(`${TOKEN}(?:=(?:${TOKEN}|${QUOTED}))?`));
export const tokens = whole(list(TOKEN));
export const someTokens = whole(some(TOKEN));
/** RFC 9110, section 8.5. */
export const languages = whole(list('[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*'));
/** RFC 9110, section 7.8. */
export const upgrade = whole(list(`${TOKEN}(?:/${TOKEN})?`));
/** RFC 9110, section 11.3: what follows the scheme is a token68 or parameters. */
export const challenge = whole(
  list(`${TOKEN}(?: +(?:[A-Za-z0-9\\-._~+/]+=*|${some(`${TOKEN}${OWS}=${OWS}(?:${TOKEN}|${QUOTED})`)}))?`),
);
/** RFC 6266, section 4.1; `filename*` has a value in the form of RFC 8187. */
export const disposition = whole(`${TOKEN}(?:${OWS};${OWS}${TOKEN}${OWS}=${OWS}(?:${TOKEN}|${QUOTED}))*`);
/** RFC 8288, section 3. */
export const link = whole(
  list(`<[^<>"\\s]*>(?:${OWS};${OWS}${TOKEN}${OWS}(?:=${OWS}(?:${TOKEN}|${QUOTED}))?)*`),
);
/** RFC 3986, section 4.1, as far as characters go. */
export const uriReference =
  /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*(?:#(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/;
/** RFC 6797, section 6.1. */
export const strictTransportSecurity = /^max-age="?\d+"?(?:\s*;\s*(?:includeSubDomains|preload))*$/i;
export const digits = /^\d+$/;

/** An IMF-fixdate that exists, the only form that may be generated (RFC 9110, section 5.6.7). */
export function isDate(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toUTCString() === text;
}

interface ContentRange {
  unit: string;
  first?: number;
  last?: number;
  size?: number;
}

/** RFC 9110, section 14.4; undefined if it is not one. */
export function parseContentRange(text: string): ContentRange | undefined {
  const match = new RegExp(`^(${TOKEN}) (?:(\\d+)-(\\d+)/(\\d+|\\*)|\\*/(\\d+))$`).exec(text);
  if (!match) return undefined;
  const [, unit = '', first, last, complete, unsatisfied] = match;
  const size = complete === '*' ? undefined : Number(complete ?? unsatisfied);
  const range: ContentRange = { unit, ...(size === undefined ? {} : { size }) };
  if (first === undefined) return range;
  Object.assign(range, { first: Number(first), last: Number(last) });
  const isOrdered = range.first! <= range.last! && (size === undefined || range.last! < size);
  return isOrdered ? range : undefined;
}

const COOKIE_VALUE = '[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*';
const cookiePair = whole(`${TOKEN}=(?:${COOKIE_VALUE}|"${COOKIE_VALUE}")`);

/**
 * Returns the mistake in a Set-Cookie value (RFC 6265, section 4.1.1, with `SameSite` and other attributes from its
 * successor).
 */
export function wrongCookie(text: string): string | undefined {
  const [pair = '', ...attributes] = text.split('; ');
  if (!cookiePair.test(pair)) return `no cookie-pair: ${pair}`;
  const seen = new Set<string>();
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = (equals < 0 ? attribute : attribute.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? undefined : attribute.slice(equals + 1);
    if (seen.has(name)) return `two attributes ${name}`;
    seen.add(name);
    if (!isCookieAttribute(name, value)) return `no attribute: ${attribute}`;
  }
  return undefined;
}

function isCookieAttribute(name: string, value: string | undefined): boolean {
  switch (name) {
    case 'expires':
      return value !== undefined && isDate(value);
    case 'max-age':
      return value !== undefined && /^-?\d+$/.test(value);
    case 'domain':
      return value !== undefined && /^\.?[A-Za-z0-9\-.]+$/.test(value);
    case 'path':
      return value !== undefined && /^[\x20-\x3a\x3c-\x7e]*$/.test(value);
    case 'secure':
    case 'httponly':
    case 'partitioned':
      return value === undefined;
    case 'samesite':
      return /^(?:strict|lax|none)$/i.test(value ?? '');
    case 'priority':
      return /^(?:low|medium|high)$/i.test(value ?? '');
    default:
      return false;
  }
}
