/** Looks up media types as Express 5 and its middleware do: in the table of mime-types 3. */
import { extname } from 'node:path';
import { CHARSETS, MEDIA_TYPES } from './media-type-table';
import { COMMON, extensionOf, lookupIn } from './mime';

const BYTES = 'application/octet-stream';

/** Common extensions whose type is another in this table. */
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

const lookup = lookupIn(MEDIA_TYPES);
const charsetOf = lookupIn(CHARSETS);

/**
 * Returns the media type of an extension or a file name; false if it is unknown.
 * @example registeredType('js') // 'text/javascript'
 */
export function registeredType(name: string): string | false {
  return CHANGED[name] ?? COMMON[name] ?? lookup(extensionOf(name)) ?? false;
}

/**
 * Returns the media type for a type or an extension, with its charset; false if it is unknown.
 * @example registeredContentType('html') // 'text/html; charset=utf-8'
 */
export function registeredContentType(typeOrExtension: string): string | false {
  const type = typeOrExtension.includes('/') ? typeOrExtension : registeredType(typeOrExtension);
  // A type with a charset is left as it is
  if (type === false || type.includes('charset')) return type;
  return WITH_CHARSET.get(type) ?? withCharset(type);
}

function withCharset(type: string): string {
  const [value] = /[^;\s]*/.exec(type.trimStart().toLowerCase())!;
  const charset = charsetOf(value) ?? (value.startsWith('text/') ? 'utf-8' : undefined);
  return charset === undefined ? type : `${type}; charset=${charset.toLowerCase()}`;
}

/** Returns the media type, with its charset, for serving a file. */
export function registeredTypeOfFile(path: string): string {
  const extension = extname(path).slice(1);
  return (extension !== '' && registeredContentType(extension)) || BYTES;
}
