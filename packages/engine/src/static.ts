/** What the versions use of static/. */
export type { FileManners } from './static/options';
export { plainFactory, serveStatic, staticFactory } from './static/serve-static';
