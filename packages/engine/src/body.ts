/** What the versions and the packages of body parsers use of body/. */
export { passOn } from './body/accept-body';
export { createCharsetFormParser } from './body/charset-form';
export { createParsers } from './body/parsers';
