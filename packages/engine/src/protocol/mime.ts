/** Looks up media types by file extension, in the tables of the packages that Express uses. */
import { extname } from 'node:path';
import type * as mime from 'mime';
import type { Mime } from '../types/files';
import { CHANGED_IN_2, MEDIA_TYPES } from './media-type-table';

/**
 * Extensions that nearly all content negotiation is about: most applications never read a whole table. The object has no
 * prototype, because the keys looked up come from paths and headers.
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

/**
 * Returns a function that looks up a key in tables, which are read when it is first called.
 * @param tables a table, and what changes it
 */
export function lookupIn(...tables: string[]): (key: string) => string | undefined {
  let values: Map<string, string> | undefined;
  return key => (values ??= readTables(tables)).get(key);
}

function readTables(tables: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const entry of tables.flatMap(table => table.split(/[;\n]/))) {
    const [value = '', ...keys] = entry.split(' ');
    for (const key of keys) {
      if (value === '-') values.delete(key);
      else values.set(key, value);
    }
  }
  return values;
}

/** Returns the extension of a file name, or of what may be one without a name. */
export function extensionOf(name: string): string {
  return extname(`x.${name}`).slice(1).toLowerCase();
}

const lookup = lookupIn(MEDIA_TYPES, CHANGED_IN_2);

let database: Mime | undefined;

/**
 * Returns the `mime` 1.6 module, which is exposed as `web.static.mime` and used by `res.type` and file serving.
 * Applications add types to it with `define`. Versions that have `web.static.mime` load it after the start.
 * @example loadMime().define({ 'text/x-recipe': ['recipe'] });
 */
export function loadMime(): Mime {
  return (database ??= require('mime') as typeof mime);
}

/**
 * Returns the media type of a file, for serving it and for `res.type`.
 * @param pathOrExtension `'/a/b.html'`, `'.html'`, `'b.html'` or `'html'`, in any case.
 * @returns the type without parameters; for an unknown extension `mime.default_type`, which is
 * `'application/octet-stream'` unless the application changed it.
 * @example contentTypeOf('/pictures/cat.png'); // 'image/png'
 */
export function contentTypeOf(pathOrExtension: string): string | undefined {
  return loadMime().lookup(pathOrExtension);
}

/**
 * Returns the charset to declare for a media type, or undefined for none. `type` may have parameters.
 * @example
 * charsetOf('text/html'); // 'UTF-8'
 * charsetOf('image/png'); // undefined
 */
export function charsetOf(type: string): string | undefined {
  return loadMime().charsets.lookup(type, undefined as unknown as string);
}

/**
 * Returns the media type of an extension for `req.accepts` and `req.is`, from the table of mime-types 2, which has
 * more types than {@link contentTypeOf} and sometimes different ones.
 * @param name an extension (`'json'`, `'.json'`) or a file name.
 * @returns the type without parameters, or false for an unknown extension.
 * @example typeOfExtension('json'); // 'application/json'
 */
export function typeOfExtension(name: string): string | false {
  return COMMON[name] ?? lookup(extensionOf(name)) ?? false;
}

/**
 * Returns the media type of a file with the charset to declare for it.
 * @example typeOfFile('/a/b.html'); // 'text/html; charset=UTF-8'
 */
export function typeOfFile(path: string): string | undefined {
  const type = contentTypeOf(path);
  const charset = type && charsetOf(type);
  return charset ? `${type}; charset=${charset}` : type;
}
