/** What the versions use of static/. */
export { createStatic } from './static/serve-static';
