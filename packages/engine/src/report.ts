/** The exports of report/ for the versions. */
export { noteVersionRoot, reportsMistakes } from './report/development';
export { routes } from './report/channels';
export { debug, printer } from './report/debug';
export { logError } from './report/log';
