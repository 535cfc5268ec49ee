/** `web.staticCache()`: what the interface 3.21 has of it. */
import { deprecated } from '../deprecate';
import type { Handler } from './connect';

/**
 * Middleware that marks the answers to GET and HEAD requests with `X-Cache: MISS`. It keeps nothing, as in Express
 * 3.21: files are served fast without, and a cache belongs in front of the application.
 *
 * Deprecated: put a cache in front of the application.
 *
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

export = deprecated('staticCache: use varnish or similar reverse proxy caches', staticCache);
