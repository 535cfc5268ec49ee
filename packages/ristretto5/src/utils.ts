/** What tools take from `lib/utils`: functions of the protocol under the names that they know. Nothing here uses it. */
import base = require('ristretto/lib/utils');
import { methods } from 'ristretto/lib/router/methods';
import { normalizeType } from './protocol/media-types';
import { compileQueryParser } from './protocol/query-parser';
import { setCharset } from './protocol/content-type';

const { etag, wetag, compileETag, compileTrust } = base;

function normalizeTypes(types: readonly string[]): ReturnType<typeof normalizeType>[] {
  return types.map(type => normalizeType(type));
}

// an object like any other, since tools replace its functions
const utils = {
  methods: [...methods],
  etag,
  wetag,
  normalizeType,
  normalizeTypes,
  compileETag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

export = utils;
