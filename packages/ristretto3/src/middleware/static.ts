/** `web.static()`: the files below a directory, by the engine of the 4.x interface. */
import files = require('ristretto/lib/static/serve-static');

/**
 * Makes middleware that serves the files below `root`. Directories lead to their `index`, after a redirect (303) where
 * the slash at the end is missing.
 *
 * @param root the directory, absolute or relative to the working directory
 * @param options `maxAge` (milliseconds, or text such as `'1 day'`; 0), `hidden` (whether names with a dot in front
 *   are served; false), `index` (`'index.html'`), `redirect` (true), and those of the 4.x interface
 * @throws TypeError when `root` is missing or not text, or an option has no meaning
 * @example
 * app.use(web.static('public', { maxAge: 86400000 }));
 * // GET /app.css -> 200 (Cache-Control: public, max-age=86400) p { color: red }
 */
const serveStatic = files.staticFactory(303);

export = serveStatic;
