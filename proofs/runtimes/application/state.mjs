/** Cookies and sessions. */
import cookieParser from 'cookie-parser';
import session from 'express-session';
import web from '../../../packages/ristretto/index.js';

export function state() {
  const router = web.Router();
  router.use(cookieParser('secret'));
  router.get('/set', (_req, res) => {
    res.cookie('plain', 'a b', { httpOnly: true, sameSite: 'lax', path: '/' });
    res.cookie('json', { n: 1 });
    res.cookie('signed', 'value', { signed: true });
    res.clearCookie('old');
    res.send('set');
  });
  router.get('/read', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies }));
  router.use('/session', session({ secret: 'secret', resave: false, saveUninitialized: false }));
  router.get('/session/count', (req, res) => {
    req.session.count = (req.session.count ?? 0) + 1;
    res.json({ count: req.session.count });
  });
  router.get('/session/none', (_req, res) => res.send('not touched'));
  router.get('/session/end', (req, res, next) =>
    req.session.destroy(err => (err ? next(err) : res.send('ended'))),
  );
  return router;
}
