/** What tools take from `lib/utils`: functions of the protocol under the names that they know. Nothing here uses it. */
import { isAbsolute } from 'node:path';
import { contentDisposition } from './protocol/content-disposition';
import { compileETag, entityTag } from './protocol/entity-tag';
import { normalizeType, normalizeTypes, setCharset } from './protocol/content-type';
import { compileTrust } from './protocol/proxy';
import { compileQueryParser } from './protocol/query-string';
import { flatten } from './router/flatten';

/** The strong entity tag of a body. */
function etag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(Buffer.isBuffer(body) ? body : Buffer.from(body, encoding), false);
}

/** The weak entity tag of a body. */
function wetag(body: string | Buffer, encoding?: BufferEncoding): string {
  return entityTag(Buffer.isBuffer(body) ? body : Buffer.from(body, encoding), true);
}

// an object like any other, since tools replace its functions
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
