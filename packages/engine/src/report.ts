/** What the versions use of report/. */
export { noteVersionRoot, reportsMistakes } from './diagnose/development';
export { routes } from './report/channels';
export { debug, printer } from './report/debug';
export { logError } from './report/log';
