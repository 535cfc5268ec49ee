// @ts-check
/** Security headers, and a check that forms are posted from our own pages. */
import helmet from 'helmet';

/** Only our own scripts and styles; HTTPS is not demanded, since this listens on plain HTTP. */
export const securityHeaders = helmet({
  contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
  strictTransportSecurity: false,
});

/**
 * Refuses to change anything for a page of another site. Browsers say with `Origin` where a request comes from; who
 * sends none (curl, for example) is no browser, so nobody's cookies are abused.
 * @type {import('ristretto').RequestHandler}
 */
export function sameOrigin(req, res, next) {
  const origin = req.get('Origin');
  if (req.method === 'GET' || req.method === 'HEAD' || origin === undefined) return next();
  // The host with its port: browsers leave out the port only where it is the usual one, in both headers alike.
  if (URL.canParse(origin) && new URL(origin).host === req.get('Host')) return next();
  next(Object.assign(new Error('This came from another site.'), { status: 403 }));
}
