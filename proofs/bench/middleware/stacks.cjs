/**
 * The middleware whose share of a request is measured: the functions to call before the handler, with the original
 * and with ours.
 *
 * @typedef {import('http').IncomingMessage} Request
 * @typedef {(req: Request, res: import('http').ServerResponse, next: (error?: unknown) => void) => void} Handler
 */
'use strict';
const { createHmac } = require('node:crypto');

const SECRET = 'keyboard cat';
let views = 0;

/** Returns a value as cookie-parser and express-session sign it. */
function signed(/** @type {string} */ value) {
  const signature = createHmac('sha256', SECRET).update(value).digest('base64').replace(/=+$/, '');
  return encodeURIComponent(`s:${value}.${signature}`);
}

/** Returns a stack that does something with `req.session`, which is in memory. */
function sessions(
  /** @type {{ use: (req: any) => unknown, cookie?: string }} */ {
    use,
    cookie = `theme=dark; connect.sid=${signed('IOHbsBDGO9FkbmVJ5qPxKnsQ4gSgtQ5A')}`,
  },
) {
  return {
    original: 'express-session',
    ours: '@ristretto/session',
    make: (/** @type {any} */ session) => {
      const store = new session.MemoryStore();
      const cookie = { originalMaxAge: null, expires: null, httpOnly: true, path: '/' };
      const data = { cookie, user: { id: 5, name: 'tobi', roles: ['admin', 'user'] }, views: 1 };
      store.sessions.IOHbsBDGO9FkbmVJ5qPxKnsQ4gSgtQ5A = JSON.stringify(data);
      return using(session({ secret: SECRET, resave: false, saveUninitialized: false, store }), use);
    },
    headers: cookie ? { Cookie: cookie } : {},
  };
}

function cookies(/** @type {(req: any) => unknown} */ use) {
  return {
    original: 'cookie-parser',
    ours: '@ristretto/cookie-parser',
    make: (/** @type {any} */ cookieParser) => using(cookieParser(SECRET), use),
    headers: { Cookie: `theme=dark; user=${signed('tobi')}; lang=en%2Dgb; _ga=GA1.2.1234.5678` },
  };
}

function cookieSessions(/** @type {(req: any) => unknown} */ use) {
  const value = Buffer.from(JSON.stringify({ user: 'tobi', views: 1 })).toString('base64');
  const signature = createHmac('sha1', SECRET).update(`session=${value}`).digest('base64url');
  return {
    original: 'cookie-session',
    ours: '@ristretto/cookie-session',
    make: (/** @type {any} */ cookieSession) => using(cookieSession({ keys: [SECRET] }), use),
    headers: { Cookie: `theme=dark; session=${value}; session.sig=${signature}` },
  };
}

/** Returns a handler that calls another one, and then does something with the request. */
function using(/** @type {Handler} */ handler, /** @type {(req: any) => unknown} */ use) {
  return (/** @type {any} */ req, /** @type {any} */ res, /** @type {(error?: unknown) => void} */ next) =>
    handler(req, res, error => {
      use(req);
      next(error);
    });
}

const FORM = ['name', 'city']
  .map(name => `--line\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nvalue\r\n`)
  .join('');

/**
 * Requests have a method other than GET if they have a body.
 *
 * @type {Record<string, { original?: string, ours: string, make: (factory: any) => Handler, headers?: Record<string, string>, body?: string }>}
 */
const stacks = {
  helmet: { original: 'helmet', ours: '@ristretto/helmet', make: helmet => helmet() },
  cors: {
    original: 'cors',
    ours: '@ristretto/cors',
    make: cors => cors({ origin: ['https://a.test', 'https://b.test'], credentials: true }),
    headers: { Origin: 'https://b.test' },
  },
  morgan: {
    original: 'morgan',
    ours: '@ristretto/morgan',
    make: morgan => morgan('combined', { stream: { write: () => undefined } }),
    headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)', Referer: 'https://a.test/' },
  },
  'rate-limit': {
    original: 'express-rate-limit',
    ours: '@ristretto/rate-limit',
    make: rateLimit =>
      rateLimit({ limit: 1e9, standardHeaders: 'draft-8', legacyHeaders: false, validate: false }),
  },
  'compression, below the threshold': {
    original: 'compression',
    ours: '@ristretto/compression',
    make: compression => compression(),
    headers: { 'Accept-Encoding': 'gzip, br' },
  },
  'body-parser, 100 bytes of JSON': {
    original: 'body-parser',
    ours: '@ristretto/body-parser',
    make: bodyParser => bodyParser.json(),
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'x'.repeat(89) }),
  },
  'multer, a form of two fields': {
    original: 'multer',
    ours: '@ristretto/multer',
    make: multer => multer().none(),
    headers: { 'Content-Type': 'multipart/form-data; boundary=line' },
    body: `${FORM}--line--\r\n`,
  },
  'serve-static, no such file': {
    original: 'serve-static',
    ours: '@ristretto/serve-static',
    make: serveStatic => serveStatic(__dirname),
  },
  // Has no original.
  'same-origin': {
    ours: '@ristretto/same-origin',
    make: sameOrigin => sameOrigin(),
    headers: { Origin: 'http://localhost' },
    body: 'x',
  },
  'session without cookie': sessions({ use: () => undefined, cookie: '' }),
  'session not read': sessions({ use: () => undefined }),
  'session read': sessions({ use: req => req.session.user }),
  'session changed': sessions({ use: req => (req.session.views = ++views) }),
  'cookies not read': cookies(() => undefined),
  'cookies read': cookies(req => req.cookies.theme),
  'signed cookies read': cookies(req => req.signedCookies.user),
  'cookie-session not read': cookieSessions(() => undefined),
  'cookie-session read': cookieSessions(req => req.session.user),
  'cookie-session changed': cookieSessions(req => (req.session.views = ++views)),
};

module.exports = { stacks };
