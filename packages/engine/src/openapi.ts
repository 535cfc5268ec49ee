/** The exports of openapi/ for the versions. */
export { isHidden } from './openapi/hidden';
export { openapi } from './openapi/openapi';
