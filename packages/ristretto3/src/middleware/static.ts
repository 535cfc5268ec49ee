/** `web.static()`: serves the files below a directory, with the code of 4.x. */
import { createStatic } from '@ristretto/private-engine/lib/static';
import { version } from '../version';

/**
 * Create middleware that serves the files below `root`. A directory is served as its `index`, after a redirect (303) if
 * the trailing slash is missing.
 * @param root the directory, absolute or relative to the working directory
 * @param options `maxAge` (milliseconds, or text such as `'1 day'`; 0), `hidden` (whether to serve names that start
 * with a dot; false), `index` (`'index.html'`), `redirect` (true), and those of 4.x
 * @throws TypeError if `root` is missing or not a string, or an option is invalid
 * @example
 * app.use(web.static('public', { maxAge: 86400000 }));
 * // GET /app.css -> 200 (Cache-Control: public, max-age=86400) p { color: red }
 */
const serveStatic = createStatic(version);

export = serveStatic;
