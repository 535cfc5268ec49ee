/**
 * The exports of `lib/utils` that tools use: protocol functions under the names of Express. The framework itself does
 * not use this file.
 */
import { isAbsolute } from 'node:path';
import { contentDisposition } from './protocol/content-disposition';
import { compileETag, entityTag } from './protocol/entity-tag';
import { normalizeType, normalizeTypes, setCharset } from './protocol/content-type';
import { compileTrust } from './protocol/proxy';
import { compileQueryParser } from './protocol/query-string';
import { flatten } from './router/flatten';

/** Returns the strong entity tag of a body. */
function etag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(Buffer.isBuffer(body) ? body : Buffer.from(body, encoding), false);
}

/** Returns the weak entity tag of a body. */
function wetag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(Buffer.isBuffer(body) ? body : Buffer.from(body, encoding), true);
}

// a plain object, because tools replace its functions
const utils = {
  etag,
  wetag,
  isAbsolute,
  flatten,
  normalizeType,
  normalizeTypes,
  contentDisposition,
  compileETag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

export = utils;
