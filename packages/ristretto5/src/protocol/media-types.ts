/**
 * Media types by the registry of mime-types 3. What nearly every application asks for is found without the registry,
 * which takes milliseconds to load.
 */
import { extname } from 'node:path';
import { COMMON } from 'ristretto/lib/protocol/mime';
import type { NormalizedType } from 'ristretto/lib/protocol/content-type';
import type * as mimeTypes from 'mime-types';

const BYTES = 'application/octet-stream';

/** Where the registry has changed since the version that the common types are of. */
const CHANGED: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { js: 'text/javascript', mjs: 'text/javascript' },
);

/** Common types with the charset that they are sent with. */
const WITH_CHARSET = new Map(
  ['text/html', 'text/plain', 'text/css', 'text/csv', 'text/markdown', 'text/javascript', 'application/json']
    .map((type): [string, string] => [type, `${type}; charset=utf-8`])
    .concat(['image/gif', 'image/jpeg', 'image/png', 'image/webp', BYTES].map(type => [type, type])),
);

let loaded: typeof mimeTypes | undefined;

function registry(): typeof mimeTypes {
  loaded ??= require('mime-types') as typeof mimeTypes;
  return loaded;
}

/**
 * The media type of an extension or a file name; false where it is unknown.
 * @example typeOfExtension('js') // 'text/javascript'
 */
export function typeOfExtension(name: string): string | false {
  return CHANGED[name] ?? COMMON[name] ?? registry().lookup(name);
}

/**
 * A media type, or that of an extension, with the charset that it is sent with; false where it is unknown.
 * @example contentType('html') // 'text/html; charset=utf-8'
 */
export function contentType(typeOrExtension: string): string | false {
  const type = typeOrExtension.includes('/') ? typeOrExtension : typeOfExtension(typeOrExtension);
  if (type === false) return false;
  // as the registry tells a type that has a charset
  if (type.includes('charset')) return type;
  return WITH_CHARSET.get(type) ?? registry().contentType(type);
}

/** The media type of a file, for serving it, with its charset. */
export function typeOfFile(path: string): string {
  const extension = extname(path).slice(1);
  return (extension !== '' && contentType(extension)) || BYTES;
}

/** A key of `res.format` as a media type: without its parameters and its quality. */
export function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: typeOfExtension(type) || BYTES, params: {} };
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
