/** `web.favicon()`: responds from memory to the frequent requests of browsers for the site's icon. */
import { readFileSync } from 'node:fs';
import { readDuration } from '@ristretto/private-engine/lib/amount';
import { entityTag, isFresh, pathnameOf } from '@ristretto/private-engine/lib/protocol';
import type { Handler } from './connect';

const YEAR = 365 * 24 * 60 * 60 * 1000;
const METHODS = 'GET, HEAD, OPTIONS';

/** A brown cup, 16 by 16 pixels, as an .ico file. */
const defaultIcon = Buffer.from(
  'AAABAAEAEBACAAEAAQCwAAAAFgAAACgAAAAQAAAAIAAAAAEAAQAAAAAAgAAAAAAAAAAAAAAAAgAAAAAAAAAAAAAAHztcAH/4AAAA' +
    'AAAAD8AAAB/gAAA/+AAAP/QAAD/yAAA/8gAAP/wAAD/wAAAAAAAABEAAAAiAAAAEQAAACIAAAAAAAACABwAA//8AAPA/AADgHwAA' +
    'wAcAAMALAADADQAAwA0AAMADAADADwAA//8AAPu/AAD3fwAA+78AAPd/AAD//wAA',
  'base64',
);

/**
 * Create middleware that responds to requests for `/favicon.ico`. Mount it before the logger, so that they are not
 * logged.
 * @param icon the path of the file, which is read immediately, or its content; an icon of a cup by default
 * @param options `maxAge`: how long browsers cache it, in milliseconds or text such as `'1 day'`; a year by default
 * @throws TypeError if it is neither a path nor content; the file system's error if the file cannot be read
 * @example
 * app.use(web.favicon('public/favicon.ico'));
 * // GET /favicon.ico -> 200 (Content-Type: image/x-icon) icon
 */
function favicon(icon?: string | Buffer, options?: favicon.Options): Handler {
  const body = bytesOfIcon(icon);
  const etag = entityTag(body, false);
  const cacheControl = `public, max-age=${Math.floor(lifetime(options?.maxAge) / 1000)}`;

  return function favicon(req, res, next) {
    if (pathnameOf(req.url!) !== '/favicon.ico') {
      next();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.statusCode = req.method === 'OPTIONS' ? 200 : 405;
      res.setHeader('Allow', METHODS);
      res.setHeader('Content-Length', '0');
      res.end();
      return;
    }
    res.setHeader('Cache-Control', cacheControl);
    res.setHeader('ETag', etag);
    if (isFresh(req.headers, { etag })) {
      res.statusCode = 304;
      res.end();
      return;
    }
    res.statusCode = 200;
    res.setHeader('Content-Length', body.length);
    res.setHeader('Content-Type', 'image/x-icon');
    res.end(body);
  };
}

function bytesOfIcon(icon: unknown): Buffer {
  if (icon === undefined || icon === null) return defaultIcon;
  if (Buffer.isBuffer(icon)) return Buffer.from(icon);
  if (typeof icon === 'string') return readFileSync(icon);
  throw new TypeError(`favicon(): expected the path of an icon or its content, got ${typeof icon}`);
}

function lifetime(maxAge: unknown): number {
  const time = readDuration(maxAge ?? YEAR);
  if (time !== undefined) return Math.min(Math.max(0, time), YEAR);
  throw new TypeError(
    `favicon() takes a maxAge in milliseconds, or text such as '1 day', not ${String(maxAge)}`,
  );
}

declare namespace favicon {
  interface Options {
    /** How long browsers cache it, in milliseconds or text such as `'1 day'`. @default a year */
    maxAge?: number | string | undefined;
  }
}

export = favicon;
