/** The exports of protocol/ for the versions. */
export { byPreference } from './protocol/accept';
export type { ReadParameters } from './protocol/accept';
export { acceptedLanguages } from './protocol/accept-language';
export { parseAccept, splitOutsideQuotes } from './protocol/accept-media';
export { acceptedCharsets, acceptedEncodings } from './protocol/accept-token';
export { trimBlanks } from './protocol/blanks';
export { bufferOf } from './protocol/bytes';
export {
  PERCENT_ESCAPE,
  TOKEN,
  contentDisposition,
  extendedValue,
  quote,
} from './protocol/content-disposition';
export {
  hasBody,
  normalizeType,
  normalizeTypes,
  parseContentType,
  setCharset,
  typeIs,
} from './protocol/content-type';
export type { NormalizedType } from './protocol/content-type';
export { lenientParameters } from './protocol/lenient-parameters';
export { compileETag, entityTag, strongETag, weakETag } from './protocol/entity-tag';
export { httpError } from './protocol/errors';
export type { HttpError } from './protocol/errors';
export { isFresh } from './protocol/fresh';
export { hostnameOf } from './protocol/host';
export { charsetOf, contentTypeOf, loadMime, typeOfExtension, typeOfFile } from './protocol/mime';
export { registeredContentType, registeredType, registeredTypeOfFile } from './protocol/registered-types';
export { PAGE_POLICY } from './protocol/page-policy';
export { compileTrust } from './protocol/proxy';
export { splitKey } from './protocol/query-tree';
export { compileQueryParser, extendedQueryParser } from './protocol/query-string';
export { QueryTree } from './protocol/query-tree';
export { isRegExp } from './realms';
export { pathnameOf, queryOf } from './protocol/url';
export { appendVary } from './protocol/vary';
