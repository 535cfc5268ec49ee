/** What the versions use of body/. */
export { acceptsBody, createTypeFilter, passOn } from './body/accept-body';
export { charsetOf, prepareCharsets, unsupportedCharset } from './body/charset';
export { readCommonOptions } from './body/options';
export { createParsers } from './body/parsers';
export { read } from './body/read';
export { FORM, extendedParser } from './body/urlencoded';
