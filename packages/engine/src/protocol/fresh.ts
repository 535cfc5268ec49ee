/** Conditional requests (RFC 9110 section 13): checks whether the client's copy is still what would be sent. */

const SPACE = 0x20;

interface ConditionalHeaders {
  'if-none-match'?: string;
  'if-modified-since'?: string;
  'cache-control'?: string;
}

/** The two validators of a response. */
export interface Validators {
  etag?: string;
  'last-modified'?: string;
}

/**
 * Whether the response to a conditional GET may be a 304: every condition present must hold, and the client must not
 * have requested a new copy with `Cache-Control: no-cache`. A condition with an invalid date never holds.
 * @param validators the entity tag and the modification date of what would be sent.
 * @param tagDecides whether a date counts only if there is no tag (section 13.2.2), as in Express 5 and later.
 * @example isFresh({ 'if-none-match': '"a", W/"b"' }, { etag: '"b"' }); // true: the comparison is the weak one
 */
export function isFresh(headers: ConditionalHeaders, validators: Validators, tagDecides = false): boolean {
  const noneMatch = headers['if-none-match'];
  const modifiedSince = headers['if-modified-since'];
  if (!noneMatch && !modifiedSince) return false;
  const cacheControl = headers['cache-control'];
  if (cacheControl && forbidsCache(cacheControl)) return false;
  if (noneMatch && noneMatch !== '*') {
    if (!validators.etag || !listsTag(noneMatch, validators.etag)) return false;
  }
  if (modifiedSince && !(tagDecides && noneMatch)) {
    // An invalid date is NaN, and every comparison with NaN is false.
    return Date.parse(validators['last-modified'] ?? '') <= Date.parse(modifiedSince);
  }
  return true;
}

/** Whether `no-cache` is one of the directives, which are separated by commas and whitespace. */
function forbidsCache(cacheControl: string): boolean {
  if (!cacheControl.includes('no-cache')) return false;
  return cacheControl.split(',').some(directive => directive.trim() === 'no-cache');
}

/**
 * Whether a list of entity tags, separated by commas and spaces, contains this one by weak comparison (section
 * 8.8.3.2).
 */
function listsTag(list: string, tag: string): boolean {
  let start = 0;
  for (;;) {
    const comma = list.indexOf(',', start);
    let end = comma < 0 ? list.length : comma;
    while (start < end && list.charCodeAt(start) === SPACE) start++;
    while (end > start && list.charCodeAt(end - 1) === SPACE) end--;
    if (isSameTag(list, start, end, tag)) return true;
    if (comma < 0) return false;
    start = comma + 1;
  }
}

/** Whether `list` from `start` to `end` is the tag; either of the two may be the weak form of the other. */
function isSameTag(list: string, start: number, end: number, tag: string): boolean {
  switch (end - start - tag.length) {
    case 0:
      return list.startsWith(tag, start);
    case 2:
      return list.startsWith('W/', start) && list.startsWith(tag, start + 2);
    case -2:
      return tag.startsWith('W/') && list.startsWith(tag.slice(2), start);
    default:
      return false;
  }
}
