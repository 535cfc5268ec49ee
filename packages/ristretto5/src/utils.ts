/** What tools take from `lib/utils`: functions of the protocol under the names that they know. Nothing here uses it. */
import base = require('ristretto/lib/utils');
import { methods } from 'ristretto/lib/router/methods';
import { normalizeType } from './protocol/media-types';
import { setCharset } from './protocol/content-type';

const { etag, wetag, compileETag, compileQueryParser, compileTrust } = base;

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
  compileQueryParser(value: unknown): unknown {
    return value === false ? undefined : compileQueryParser(value);
  },
  compileTrust,
  setCharset,
};

export = utils;
