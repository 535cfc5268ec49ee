/** How 5.x reads and writes headers and queries where it differs from 4.x. */
import {
  PERCENT_ESCAPE,
  TOKEN,
  compileQueryParser as compile,
  extendedQueryParser,
  extendedValue,
  lenientParameters,
  quote,
  registeredType,
  splitOutsideQuotes,
  trimBlanks,
} from '@ristretto/private-engine/lib/protocol';
import type { NormalizedType, ReadParameters } from '@ristretto/private-engine/lib/protocol';

/**
 * Reads the parameters in Accept headers as RFC 9110 section 5.6.6 defines them: names in any case, values in quotes or
 * not, in any order, with blanks around the semicolons. Of parameters with one name, the first counts. The quality is 1
 * if it is missing or has no value.
 */
export const readAcceptParameters: ReadParameters = text => {
  let quality: number | undefined;
  let others: ReturnType<ReadParameters>['others'];
  for (const parameter of splitOutsideQuotes(text, ';')) {
    const equals = parameter.indexOf('=');
    const name = trimBlanks(equals < 0 ? parameter : parameter.slice(0, equals)).toLowerCase();
    const value = equals < 0 ? '' : withoutQuotes(trimBlanks(parameter.slice(equals + 1)));
    if (name === 'q') {
      quality ??= value === '' ? 1 : Number.parseFloat(value);
    } else {
      others ??= Object.create(null) as Record<string, string>;
      others[name] ??= value;
    }
  }
  return { quality: quality ?? 1, others };
};

function withoutQuotes(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

/** The characters that are replaced in the name for old clients. */
const NOT_PRINTABLE = /[^\x20-\x7e]/g;

/**
 * Returns the value of a Content-Disposition header.
 * @param filename the name to save under; without it, the value is only the type
 * @returns for names outside ASCII both `filename`, with `?` for other characters, and `filename*` (RFC 8187)
 * @throws URIError if the name contains a lone surrogate
 * @example contentDisposition('plans.pdf') // 'attachment; filename=plans.pdf'
 */
export function contentDisposition(filename?: string): string {
  if (filename === undefined) return 'attachment';
  const plain = filename.replace(NOT_PRINTABLE, '?');
  const parameter = `; filename=${TOKEN.test(plain) ? plain : quote(plain)}`;
  const isPlain = plain === filename && !PERCENT_ESCAPE.test(filename);
  return `attachment${parameter}${isPlain ? '' : `; filename*=${extendedValue(filename)}`}`;
}

const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Replaces or adds the charset of a Content-Type; malformed parameters are left out. If either is empty, the type is
 * returned unchanged.
 * @throws TypeError if the type is invalid
 * @example setCharset('text/html', 'utf-8') // 'text/html; charset=utf-8'
 */
export function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const semicolon = type.indexOf(';');
  const name = trimBlanks(semicolon < 0 ? type : type.slice(0, semicolon)).toLowerCase();
  if (!TYPE.test(name)) throw new TypeError(`Invalid type: ${name}`);
  const parameters = lenientParameters(type);
  parameters.charset = charset;
  let formatted = name;
  for (const [parameter, value] of Object.entries(parameters)) {
    if (!TOKEN.test(parameter)) throw new TypeError(`Invalid parameter name: ${parameter}`);
    formatted += `; ${parameter}=${TOKEN.test(value) ? value : quoted(value)}`;
  }
  return formatted;
}

function quoted(value: string): string {
  if (!TEXT.test(value)) throw new TypeError(`Invalid parameter value: ${value}`);
  return `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

const BYTES = 'application/octet-stream';

/** Converts a key of `res.format` to a media type: its value, quality and parameters. */
export function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: registeredType(type) || BYTES, params: {} };
  const [value = '', ...parameters] = type.split(';').map(part => part.trim());
  const normalized: NormalizedType = { value, quality: 1, params: {} };
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0) continue;
    const name = parameter.slice(0, equals).trimEnd();
    const text = parameter.slice(equals + 1).trimStart();
    if (name === 'q') normalized.quality = Number.parseFloat(text);
    else normalized.params[name] = text;
  }
  return normalized;
}

/** Array limits are lower than in Express 4: lists of more than 20 values, and indexes from 20 on, become objects. */
const parseExtended = extendedQueryParser();

/**
 * Returns the parser for a value of the setting.
 * @returns undefined for false, which disables parsing
 * @throws TypeError for an invalid value of the setting
 */
export function compileQueryParser(value: unknown): ReturnType<typeof compile> | undefined {
  if (value === false) return undefined;
  return value === 'extended' ? parseExtended : compile(value);
}
