/** What the versions use of openapi/. */
export { isHidden } from './openapi/hidden';
export { openapi } from './openapi/openapi';
