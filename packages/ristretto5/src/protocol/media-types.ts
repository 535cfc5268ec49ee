/** Looks up media types in the registry of mime-types 3. The most common ones are found without the registry. */
import { extname } from 'node:path';
import { deferred } from '@ristretto/private-engine/lib/deferred';
import { COMMON } from '@ristretto/private-engine/lib/protocol';
import type { NormalizedType } from '@ristretto/private-engine/lib/protocol';
import type * as mimeTypes from 'mime-types';

const BYTES = 'application/octet-stream';

/** Types that the registry has changed since the version that the common types come from. */
const CHANGED: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { js: 'text/javascript', mjs: 'text/javascript' },
);

/** Common types, with the charset they are sent with. */
const WITH_CHARSET = new Map(
  ['text/html', 'text/plain', 'text/css', 'text/csv', 'text/markdown', 'text/javascript', 'application/json']
    .map((type): [string, string] => [type, `${type}; charset=utf-8`])
    .concat(['image/gif', 'image/jpeg', 'image/png', 'image/webp', BYTES].map(type => [type, type])),
);

const registry = deferred(() => require('mime-types') as typeof mimeTypes);

/**
 * Returns the media type of an extension or a file name; false if it is unknown.
 * @example typeOfExtension('js') // 'text/javascript'
 */
export function typeOfExtension(name: string): string | false {
  return CHANGED[name] ?? COMMON[name] ?? registry().lookup(name);
}

/**
 * Returns a media type, or that of an extension, with the charset it is sent with; false if it is unknown.
 * @example contentType('html') // 'text/html; charset=utf-8'
 */
export function contentType(typeOrExtension: string): string | false {
  const type = typeOrExtension.includes('/') ? typeOrExtension : typeOfExtension(typeOrExtension);
  if (type === false) return false;
  // The registry recognizes a type with a charset in the same way
  if (type.includes('charset')) return type;
  return WITH_CHARSET.get(type) ?? registry().contentType(type);
}

/** Returns the media type, with its charset, for serving a file. */
export function typeOfFile(path: string): string {
  const extension = extname(path).slice(1);
  return (extension !== '' && contentType(extension)) || BYTES;
}

/** Converts a key of `res.format` to a media type: its value, quality and parameters. */
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
