/** The exports of body/ for the versions and the packages of body parsers. */
export { passOn } from './body/accept-body';
export { createParsers } from './body/parsers';
