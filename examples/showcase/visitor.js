// @ts-check
/** Remembers a visitor's name in a signed cookie: the browser keeps it, and nobody can change it unnoticed. */

const COOKIE = 'visitor';
const YEAR = 365 * 24 * 60 * 60 * 1000;

/**
 * Lets the views and the handlers below see the name.
 * @type {import('ristretto').RequestHandler}
 */
export function visitor(req, res, next) {
  res.locals.visitor = req.signedCookies[COOKIE] || '';
  next();
}

/**
 * @param {import('ristretto').Response} res
 * @param {string} name
 */
export function remember(res, name) {
  res.cookie(COOKIE, name, { ...options(res), maxAge: YEAR });
}

/** @param {import('ristretto').Response} res */
export function forget(res) {
  res.clearCookie(COOKIE, options(res));
}

/**
 * @param {import('ristretto').Response} res
 * @returns {import('ristretto').CookieOptions}
 */
function options(res) {
  return { signed: true, httpOnly: true, sameSite: 'lax', secure: res.req.secure };
}
