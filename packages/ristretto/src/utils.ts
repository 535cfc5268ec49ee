/**
 * The exports of `lib/utils` that tools use: protocol functions under the names of Express. The framework itself does
 * not use this file.
 */
import { isAbsolute } from 'node:path';
import {
  compileETag,
  compileQueryParser,
  compileTrust,
  contentDisposition,
  normalizeType,
  normalizeTypes,
  setCharset,
  strongETag as etag,
  weakETag as wetag,
} from '@ristretto/private-engine/lib/protocol';
import { flatten } from '@ristretto/private-engine/lib/router';

// A plain object, because tools replace its functions
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
