/** The middleware of Express 3 that Express 4 has no more. */
/** Middleware that the 3.x interface had, and that are packages of their own now. */
const removed = [
  'bodyParser',
  'compress',
  'cookieSession',
  'session',
  'logger',
  'cookieParser',
  'favicon',
  'responseTime',
  'errorHandler',
  'timeout',
  'methodOverride',
  'vhost',
  'csrf',
  'directory',
  'limit',
  'multipart',
  'staticCache',
];
/** Gives the names getters that throw, as Express 4 has them. */
export function refuseRemoved(web: object): void {
  for (const name of removed) {
    Object.defineProperty(web, name, {
      configurable: true,
      get() {
        throw new Error(
          `Most middleware (like ${name}) is no longer bundled with Express and must be installed separately. Please see https://github.com/senchalabs/connect#middleware.`,
        );
      },
    });
  }
}
