/** Optional white space in headers, which is spaces and tabs: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.3 */

const SPACE = 0x20;
const TAB = 0x09;

/** Returns whether a character code is that of a space or a tab. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Returns the text between two indexes without the spaces and tabs around it; other white space is part of it. */
export function trimBlanks(text: string, from = 0, to = text.length): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
