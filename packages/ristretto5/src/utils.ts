/**
 * The exports of `lib/utils` that tools use: protocol functions under the names of Express. The framework itself does
 * not use this file.
 */
import {
  compileETag,
  compileTrust,
  strongETag as etag,
  weakETag as wetag,
} from '@ristretto/private-engine/lib/protocol';
import { methods } from '@ristretto/private-engine/lib/router';
import { compileQueryParser, normalizeType, setCharset } from './protocol';

function normalizeTypes(types: readonly string[]): ReturnType<typeof normalizeType>[] {
  return types.map(type => normalizeType(type));
}

// A plain object, because tools replace its functions
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
