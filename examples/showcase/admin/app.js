// @ts-check
/** The administrator's application: mounted on `/admin`, with views and settings of its own. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { rateLimit } from 'express-rate-limit';
import web from 'ristretto';

const COOKIE = 'admin';
const HOUR = 60 * 60 * 1000;

/**
 * @param {import('../store.js').Store} store
 * @param {string} password
 */
export function makeAdmin(store, password) {
  const admin = web();
  admin.set('views', fileURLToPath(new URL('views', import.meta.url)));
  admin.set('view engine', 'ejs');
  admin.disable('x-powered-by');
  admin.locals.site = 'Guest book administration';

  admin.use((req, res, next) => {
    res.set('Cache-Control', 'no-store'); // nothing of this is kept by browsers
    res.locals.base = req.baseUrl;
    next();
  });
  admin.use(web.urlencoded({ extended: false, limit: '2kb' }));

  const attempts = rateLimit({ windowMs: 60_000, limit: 10, skipSuccessfulRequests: true });
  admin.get('/login', (req, res) => res.render('login', { wrong: false }));
  admin.post('/login', attempts, (req, res) => {
    if (!same(String(req.body.password), password)) {
      res.status(401).render('login', { wrong: true });
      return;
    }
    const until = Date.now() + HOUR;
    res.cookie(COOKIE, String(until), { ...cookieOptions(req), maxAge: HOUR });
    res.redirect(303, req.baseUrl);
  });

  // Everything below is for who has logged in. The time is in the signed value: browsers can't prolong it.
  admin.use((req, res, next) => {
    if (Number(req.signedCookies[COOKIE] || 0) > Date.now()) return next();
    res.redirect(303, `${req.baseUrl}/login`);
  });
  admin.get('/', (req, res) => res.render('overview', { messages: store.messages.latest(100) }));
  admin.post('/messages/:id/remove', (req, res) => {
    store.messages.remove(Number(req.params.id));
    res.redirect(303, req.baseUrl);
  });
  admin.post('/logout', (req, res) => {
    res.clearCookie(COOKIE, cookieOptions(req)).redirect(303, `${req.baseUrl}/login`);
  });

  // What is not answered here goes on to the 404 page of the guest book.
  return admin;
}

/**
 * Compares in a time that tells nothing about the right one.
 * @param {string} given
 * @param {string} right
 */
function same(given, right) {
  /** @param {string} text */
  const digest = text => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

/**
 * @param {import('ristretto').Request} req
 * @returns {import('ristretto').CookieOptions}
 */
function cookieOptions(req) {
  return { signed: true, httpOnly: true, sameSite: 'strict', secure: req.secure, path: req.baseUrl };
}
