/** The exports of static/ for the versions. */
export { createStatic } from './static/serve-static';
