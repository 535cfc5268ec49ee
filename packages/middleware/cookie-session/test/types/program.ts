import express = require('express');
import cookieSession = require('cookie-session');
import Keygrip = require('keygrip');

const app = express();
app.use(cookieSession());
app.use(
  cookieSession({ keys: ['a', 'b'], name: 's', maxAge: 5, secure: true, sameSite: 'lax', partitioned: true }),
);
app.use(cookieSession({ keys: new Keygrip(['a'], 'sha256', 'hex') }));
app.use(cookieSession({ secret: 'a', httpOnly: false, overwrite: false, signed: false, secureProxy: true }));
const options: CookieSessionInterfaces.CookieSessionOptions = {
  keys: ['a'],
  expires: new Date(),
  path: '/',
  domain: 'a.b',
};
const handler: express.RequestHandler = cookieSession(options);
app.use(handler);
app.get('/', (req, res) => {
  if (req.session) {
    req.session.views = (req.session.views || 0) + 1;
    res.json([req.session.isNew, req.session.isChanged, req.session.isPopulated]);
  }
  req.sessionOptions.maxAge = 5;
  req.session = null;
});
// @ts-expect-error -- not keys
cookieSession({ keys: 5 });
