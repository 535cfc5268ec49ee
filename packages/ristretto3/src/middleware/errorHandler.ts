/** `web.errorHandler()`: error pages for development. */
import type { ErrorHandler } from './connect';

/**
 * Error handler that answers with the error and its stack, as HTML, JSON or text, whichever the client likes best.
 * It tells too much for production.
 *
 * @param options `log`: whether errors are printed, or what is called with them; on except in the environment `test`
 * @throws TypeError for a `log` that is neither
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
     * Where errors are logged: a function of the error and its text; false for nowhere.
     * @default `console.error`, except in the environment `test`
     */
    // any: whatever was passed to `next` is an error
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- see above
    log?: boolean | ((error: any, text: string, ...rest: any[]) => void) | undefined;
  }
}

export = errorHandler;
