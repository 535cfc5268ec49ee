/**
 * Rewrites Accept headers for the shared parsers: Express 5 reads the parameter `q` as RFC 9110 section 5.6.6 defines
 * parameters, Express 4 in a different way in each header.
 */
import { splitOutsideQuotes, trimBlanks } from '@ristretto/private-engine/lib/protocol';

/** Headers that all parsers read alike, which is nearly every one: the only parameter is a plain `q`. */
const USUAL = /^[^";]*(?:;q=[\d.]+(?:,[^";]*|$))*$/;

/**
 * Writes `q` in lower case, without spaces and quotes, as the last parameter of each element; it is 1 if it is missing or
 * has no value. Leaves out what repeats a parameter.
 * @example usualMediaTypes('text/html; Q="0.5"; level=1') // 'text/html;level=1;q=0.5'
 */
export function usualMediaTypes(header: string | undefined): string | undefined {
  return rewrite(header, true);
}

/**
 * Does the same for a header of charsets, content codings or languages; removes all other parameters.
 * @example usualNames('de; q=0.5;a="b,c", en') // 'de;q=0.5, en;q=1'
 */
export function usualNames(header: string | undefined): string | undefined {
  return rewrite(header, false);
}

function rewrite(header: string | undefined, keepsOthers: boolean): string | undefined {
  if (header === undefined || USUAL.test(header)) return header;
  return splitOutsideQuotes(header, ',')
    .map(element => rewriteElement(element, keepsOthers))
    .join(',');
}

function rewriteElement(element: string, keepsOthers: boolean): string {
  const [name = '', ...parameters] = splitOutsideQuotes(element, ';');
  const written = new Map<string, string>();
  for (const parameter of parameters) {
    const [key = '', value = ''] = parameter.split(/=(.*)/s, 2).map(text => trimBlanks(text));
    const lower = key.toLowerCase();
    if (!written.has(lower)) written.set(lower, value);
  }
  const quality = qualityOf(written.get('q') ?? '');
  written.delete('q');
  const others = keepsOthers ? Array.from(written, ([key, value]) => `;${key}=${value}`).join('') : '';
  return `${name}${others};q=${quality}`;
}

function qualityOf(value: string): number {
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  const text = isQuoted ? value.slice(1, -1) : value;
  return text === '' ? 1 : Number.parseFloat(text);
}
