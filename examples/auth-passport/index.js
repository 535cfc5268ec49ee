/** Logging in with name and password using passport; passwords are stored as salted hashes. */
'use strict';
const { randomBytes, scryptSync, timingSafeEqual } = require('node:crypto');
const web = require('ristretto');
const session = require('express-session');
const { Passport } = require('passport');
const { Strategy } = require('passport-local');

const salt = randomBytes(16);
const hash = password => scryptSync(password, salt, 32);
const users = new Map([['ada', { id: 'ada', name: 'Ada Lovelace', password: hash('difference engine') }]]);

const passport = new Passport();
passport.use(
  new Strategy((username, password, done) => {
    const user = users.get(username);
    // Always hash, so that the response time does not reveal which names exist.
    const given = hash(password);
    const right = user && timingSafeEqual(given, user.password);
    done(null, right ? user : false);
  }),
);
passport.serializeUser((user, done) => done(null, user.id));
passport.deserializeUser((id, done) => done(null, users.get(id) ?? false));

const app = web();
app.use(web.urlencoded({ extended: false, limit: '2kb' }));
app.use(
  session({
    secret: 'only for this example',
    resave: false,
    saveUninitialized: false,
    cookie: { sameSite: 'lax' },
  }),
);
app.use(passport.session());

app.post(
  '/login',
  passport.authenticate('local', { successRedirect: '/me', failureRedirect: '/login?failed' }),
);
app.get('/login', (req, res) => {
  res
    .status('failed' in req.query ? 401 : 200)
    .send(
      '<form method="post"><input name="username"><input name="password" type="password"><button>Log in</button></form>',
    );
});
app.post('/logout', (req, res, next) => {
  req.logout(err => (err ? next(err) : res.redirect('/login')));
});

// Everything below requires a login.
app.use((req, res, next) => (req.isAuthenticated() ? next() : res.redirect('/login')));
app.get('/me', (req, res) => res.json({ name: req.user.name }));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/login`));
}
