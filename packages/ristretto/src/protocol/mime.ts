/**
 * Looks up media types by file extension. A small table covers the extensions that nearly every application uses, so
 * that the two databases (several milliseconds each) are loaded only for other extensions.
 */
import type * as mime from 'mime';
import type * as mimeTypes from 'mime-types';
import type { Mime } from '../types/files';

/**
 * Extensions on which both databases agree. It has no prototype, because the keys looked up come from paths and
 * headers.
 */
export const COMMON: Readonly<Record<string, string | undefined>> = Object.assign(
  Object.create(null) as Record<string, string>,
  {
    bin: 'application/octet-stream',
    css: 'text/css',
    csv: 'text/csv',
    gif: 'image/gif',
    htm: 'text/html',
    html: 'text/html',
    jpeg: 'image/jpeg',
    jpg: 'image/jpeg',
    js: 'application/javascript',
    json: 'application/json',
    map: 'application/json',
    md: 'text/markdown',
    mjs: 'application/javascript',
    mp4: 'video/mp4',
    pdf: 'application/pdf',
    png: 'image/png',
    svg: 'image/svg+xml',
    text: 'text/plain',
    txt: 'text/plain',
    wasm: 'application/wasm',
    webp: 'image/webp',
    woff: 'font/woff',
    woff2: 'font/woff2',
    xml: 'application/xml',
    zip: 'application/zip',
  },
);

let loadedMime: typeof mime | undefined;

/**
 * Loads the `mime` 1.6 module, which is exposed as `web.static.mime` and used by `res.type` and file serving.
 * Applications add types to it with `define`, so once it is loaded, it always replaces the table.
 *
 * @example
 * loadMime().define({ 'text/x-recipe': ['recipe'] });
 */
export function loadMime(): Mime {
  loadedMime ??= require('mime') as typeof mime;
  return loadedMime;
}

/**
 * Returns the media type of a file, for serving it and for `res.type`.
 *
 * @param pathOrExtension - `'/a/b.html'`, `'.html'`, `'b.html'` or `'html'`, in any case.
 * @returns the type without parameters; for an unknown extension `mime.default_type`, which is
 * `'application/octet-stream'` unless the application changed it.
 * @example
 * contentTypeOf('/pictures/cat.png'); // 'image/png'
 */
export function contentTypeOf(pathOrExtension: string): string | undefined {
  if (loadedMime === undefined) {
    const common = COMMON[extensionOf(pathOrExtension).toLowerCase()];
    if (common !== undefined) return common;
  }
  return loadMime().lookup(pathOrExtension);
}

/**
 * Returns the charset to declare for a media type, or undefined for none. `type` may have parameters.
 *
 * @example
 * charsetOf('text/html'); // 'UTF-8'
 * charsetOf('image/png'); // undefined
 */
export function charsetOf(type: string): string | undefined {
  if (loadedMime !== undefined) return loadedMime.charsets.lookup(type, undefined as unknown as string);
  const text =
    type.startsWith('text/') ||
    type.startsWith('application/json') ||
    type.startsWith('application/javascript');
  return text ? 'UTF-8' : undefined;
}

/**
 * Returns the media type of an extension for `req.accepts` and `req.is`, from the registry of `mime-types`, which has
 * more types than {@link contentTypeOf} and sometimes different ones.
 *
 * @param name - an extension (`'json'`, `'.json'`) or a file name.
 * @returns the type without parameters, or false for an unknown extension.
 * @example
 * typeOfExtension('json'); // 'application/json'
 */
export function typeOfExtension(name: string): string | false {
  const common = COMMON[name];
  if (common !== undefined) return common;

  return (require('mime-types') as typeof mimeTypes).lookup(name);
}

/** Returns the text after the last dot or separator, or the whole path if there is none. */
function extensionOf(path: string): string {
  for (let at = path.length - 1; at >= 0; at--) {
    const code = path.charCodeAt(at);
    if (code === 0x2e || code === 0x2f || code === 0x5c) return path.slice(at + 1);
  }
  return path;
}
