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

/**
 * Defines members of the main function that throw and say where the middleware has gone.
 * @example defineRemoved(web); web.bodyParser; // throws
 */
export function defineRemoved(target: object): void {
  for (const name of removed) {
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        throw new Error(
          `Most middleware (like ${name}) is no longer bundled with Express and must be installed separately. Please see https://github.com/senchalabs/connect#middleware.`,
        );
      },
    });
  }
}
