/** `web.errorHandler()`: error pages for development. */
import type { ErrorHandler } from './connect';

/**
 * Create an error handler that responds with the error and its stack, as HTML, JSON or text, whichever the client
 * prefers. It reveals too much for production.
 * @param options `log`: whether to log errors, or the function that logs them; on except in the environment `test`
 * @throws TypeError if `log` is neither
 * @example if (app.get('env') === 'development') app.use(web.errorHandler());
 */
const errorHandler = require('errorhandler') as errorHandler.Make;

errorHandler.title = 'Ristretto';

declare namespace errorHandler {
  interface Make {
    (options?: Options): ErrorHandler;
    /** The heading of the page. */
    title: string;
  }
  interface Options {
    /**
     * Whether errors are logged, or the function that logs them, called with the error and its text.
     * @default `console.error`, except in the environment `test`
     */
    // Any: every value passed to `next` is an error
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
    log?: boolean | ((error: any, text: string, ...rest: any[]) => void) | undefined;
  }
}

export = errorHandler;
