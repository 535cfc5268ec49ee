/** The exports of body/ for the versions and the packages of body parsers. */
export { passOn } from './body/accept-body';
export { createCharsetFormParser } from './body/charset-form';
export { createParsers } from './body/parsers';
