/** Middleware that was part of the 3.x API and is now published as separate packages. */
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
 * Defines members of the main function that throw an error with a link to the separate packages.
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
