/** The exports of report/ for the versions. */
export { noteVersionRoot, reportsMistakes } from './diagnose/development';
export { routes } from './report/channels';
export { debug, printer } from './report/debug';
export { logError } from './report/log';
