// @ts-check
/** Security headers, and a check that forms are posted from our own pages. */
import helmet from 'helmet';

/** Only our own scripts and styles; HTTPS is not demanded, since this listens on plain HTTP. */
export const securityHeaders = helmet({
  contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
  strictTransportSecurity: false,
  // Browsers that are told to send no referrer send no origin with forms either, and the check below needs it.
  referrerPolicy: { policy: 'same-origin' },
});

/**
 * Refuses to change anything for a page of another site. Browsers say with `Origin` where a request comes from; who
 * sends none (curl, for example) is no browser, so nobody's cookies are abused.
 * @type {import('ristretto').RequestHandler}
 */
export function sameOrigin(req, res, next) {
  const origin = req.get('Origin');
  if (req.method === 'GET' || req.method === 'HEAD' || origin === undefined) return next();
  // Both with the port, unless it is the usual one. A proxy in front has to pass `Host` on as it came.
  if (URL.canParse(origin) && new URL(origin).host === req.get('Host')) return next();
  next(Object.assign(new Error('This came from another site.'), { status: 403 }));
}
