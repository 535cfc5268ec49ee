/** Parses the bodies of HTML forms, in UTF-8 or ISO-8859-1, flat unless nesting is enabled: the forms of body-parser 2. */
import type { NextHandleFunction, OptionsUrlencoded } from '../types/body';
import type { BodyVersion } from '../version';
import { acceptsBody, createTypeFilter, passOn } from './accept-body';
import { charsetOf, prepareCharsets, unsupportedCharset } from './charset';
import { describeParser, readCommonOptions } from './parser-options';
import { read } from './read';
import { extendedParser, FORM } from './urlencoded';

type Charset = 'utf-8' | 'iso-8859-1';

interface CharsetOptions {
  charsetSentinel?: boolean | undefined;
  interpretNumericEntities?: boolean | undefined;
}

/** A check mark in UTF-8, and as a browser sends it in an ISO-8859-1 form. */
const SENTINELS: Record<string, Charset> = {
  'utf8=%E2%9C%93': 'utf-8',
  'utf8=%26%2310003%3B': 'iso-8859-1',
};
const SENTINEL = /(?:^|&)(utf8=[^&]*)/;
const PART = /[^&]+/g;
const ENTITY = /%26(?:%23|#)((?:\d|%3\d)+)(?:%3B|;)/gi;
/** An escape of a character beyond ASCII, or a percent sign that starts no escape, which stays a percent sign. */
const LATIN = /%(?:([89a-f][\da-f])|(?![\da-f]{2}))/gi;

/** Returns the text of a form, percent-encoded in UTF-8. */
function toUtf8(text: string, charset: Charset, options: CharsetOptions): string {
  let found = charset;
  let form = text;
  if (options.charsetSentinel === true) {
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

/** Leaves an empty part in its place, which still counts as a parameter. */
function withoutPart(text: string, { 0: part, index }: RegExpExecArray): string {
  const start = part.startsWith('&') ? index + 1 : index;
  return text.slice(0, start) + text.slice(index + part.length);
}

function encodeLatin(code: number): string {
  return encodeURIComponent(String.fromCharCode(code));
}

/** Decodes entities in the value of a part; in its name they are literal text. */
function readEntities(part: string): string {
  const inBrackets = part.indexOf(']=');
  const equals = inBrackets < 0 ? part.indexOf('=') : inBrackets + 1;
  return equals < 0 ? part : part.slice(0, equals) + part.slice(equals).replace(ENTITY, entityToCharacter);
}

/** Characters of ASCII are encoded: as text, they could have a meaning in forms, or complete an escape before them. */
function entityToCharacter(_entity: string, digits: string): string {
  const character = String.fromCharCode(Number.parseInt(digits.replace(/%3/g, ''), 10));
  if (character >= '\x80') return character;
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** The options of `OptionsUrlencoded`, except that forms are flat by default, plus charsets. */
interface OptionsCharsetForm extends Omit<OptionsUrlencoded, 'extended'> {
  extended?: boolean | undefined;
  defaultCharset?: 'utf-8' | 'iso-8859-1' | undefined;
  charsetSentinel?: boolean | undefined;
  interpretNumericEntities?: boolean | undefined;
}

/** Creates the middleware for a version of the API. */
export function createCharsetFormParser(
  options: OptionsCharsetForm | undefined,
  version: BodyVersion,
): NextHandleFunction {
  const given = options ?? {};
  const settings = readCommonOptions(given, FORM, version);
  const filter = createTypeFilter(settings);
  const defaultCharset = given.defaultCharset || 'utf-8';
  if (defaultCharset !== 'utf-8' && defaultCharset !== 'iso-8859-1') {
    throw new TypeError('option defaultCharset must be either utf-8 or iso-8859-1');
  }
  const parse = extendedParser(given, !given.extended);
  const parsers = {
    'utf-8': (text: string) => parse(toUtf8(text, 'utf-8', given)),
    'iso-8859-1': (text: string) => parse(toUtf8(text, 'iso-8859-1', given)),
  };

  prepareCharsets();

  return describeParser('urlencoded', settings, function urlencodedParser(req, res, next) {
    if (!acceptsBody(req, filter)) {
      passOn(req, next);
      return;
    }
    const charset = charsetOf(req.headers['content-type'], version.requests) ?? defaultCharset;
    if (charset !== 'utf-8' && charset !== 'iso-8859-1') {
      next(unsupportedCharset(charset));
      return;
    }
    read(req, res, next, settings, parsers[charset], charset);
  });
}
