/**
 * Changes the charset of a Content-Type: malformed parameters are left out, and do not make the whole value malformed.
 */
import { lenientParameters, trimBlanks } from '@ristretto/private-engine/lib/protocol';

const TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Replaces or adds the charset of a Content-Type. If either is empty, the type is returned unchanged.
 *
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
