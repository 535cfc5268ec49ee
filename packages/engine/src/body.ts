/** What the versions use of body/. */
export { acceptsBody, createTypeFilter, passOn } from './body/accept-body';
export { charsetOf, prepareCharsets, unsupportedCharset } from './body/charset';
export type { BodyRequest, Dialect } from './body/dialect';
export { json, makeJsonParser } from './body/json';
export { readCommonOptions } from './body/options';
export { makeRawParser, raw } from './body/raw';
export { read } from './body/read';
export { makeTextParser, text } from './body/text';
export { FORM, extendedParser, urlencoded } from './body/urlencoded';
