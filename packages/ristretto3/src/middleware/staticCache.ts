/** `web.staticCache()`: the stub that remains of it in Express 3.21. */
import type { Handler } from './connect';

/**
 * Create middleware that marks the responses to GET and HEAD requests with `X-Cache: MISS`. It caches nothing, as in
 * Express 3.21: files are served fast without it, and a cache belongs in front of the application.
 *
 * Deprecated: put a cache in front of the application.
 * @param _options `maxObjects` and `maxLength`, which have no effect
 * @example app.use(web.staticCache());
 */
function staticCache(_options?: { maxObjects?: number; maxLength?: number }): Handler {
  return function staticCache(req, res, next) {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && req.headers.range === undefined) res.setHeader('X-Cache', 'MISS');
    next();
  };
}

export = staticCache;
