/**
 * The charset of a form: what is percent-encoded in ISO-8859-1 is written in UTF-8, which is all that the parser knows.
 * Browsers put a character that the charset lacks as a numeric entity (`&#9786;`), and tell the charset of a form in a
 * field `utf8` of its own.
 */

type Charset = 'utf-8' | 'iso-8859-1';

interface CharsetOptions {
  charsetSentinel?: boolean | undefined;
  interpretNumericEntities?: boolean | undefined;
}

/** A check mark in UTF-8, and as a browser sends it in a form of ISO-8859-1. */
const SENTINELS: Record<string, Charset> = {
  'utf8=%E2%9C%93': 'utf-8',
  'utf8=%26%2310003%3B': 'iso-8859-1',
};
const SENTINEL = /(?:^|&)(utf8=[^&]*)/;
const PART = /[^&]+/g;
const ENTITY = /%26(?:%23|#)((?:\d|%3\d)+)(?:%3B|;)/gi;
/** An escape of a character beyond ASCII, or a percent sign that begins none, which stays one. */
const LATIN = /%(?:([89a-f][\da-f])|(?![\da-f]{2}))/gi;

/** The text of a form, percent-encoded in UTF-8. */
export function toUtf8(text: string, charset: Charset, options: CharsetOptions): string {
  let found = charset;
  let form = text;
  if (options.charsetSentinel) {
    const sentinel = SENTINEL.exec(text);
    if (sentinel) {
      found = SENTINELS[sentinel[1]!] ?? charset;
      form = withoutPart(text, sentinel);
    }
  }
  if (found === 'utf-8') return form;
  const entities = options.interpretNumericEntities ? form.replace(PART, readEntities) : form;
  return entities.replace(LATIN, (_escape, code?: string) =>
    code === undefined ? '%25' : encodeLatin(Number.parseInt(code, 16)),
  );
}

/** Leaves an empty part in its place, which counts as a parameter all the same. */
function withoutPart(text: string, { 0: part, index }: RegExpExecArray): string {
  const start = part.startsWith('&') ? index + 1 : index;
  return text.slice(0, start) + text.slice(index + part.length);
}

function encodeLatin(code: number): string {
  return encodeURIComponent(String.fromCharCode(code));
}

/** Entities in the value of a part; in its name they are text. */
function readEntities(part: string): string {
  const inBrackets = part.indexOf(']=');
  const equals = inBrackets < 0 ? part.indexOf('=') : inBrackets + 1;
  return equals < 0 ? part : part.slice(0, equals) + part.slice(equals).replace(ENTITY, entityToCharacter);
}

/** What has a meaning in a form stays encoded; all else is a character of the text. */
function entityToCharacter(_entity: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits.replace(/%3/g, ''), 10));
  return character < '\x80' ? encodeURIComponent(character) : character;
}
