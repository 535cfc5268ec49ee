const crypto = require('crypto');
const express = require('express');
const passport = require('passport');
const LocalStrategy = require('passport-local');

const salt = crypto.randomBytes(16);
const hash = password => crypto.pbkdf2Sync(password, salt, 1000, 32, 'sha256');
const users = new Map([['alice', { id: 1, username: 'alice', password: hash('letmein') }]]);

passport.use(
  new LocalStrategy((username, password, done) => {
    const user = users.get(username);
    const isRight = user !== undefined && crypto.timingSafeEqual(user.password, hash(password));
    done(null, isRight ? user : false, isRight ? undefined : { message: 'Incorrect username or password.' });
  }),
);
passport.serializeUser((user, done) =>
  process.nextTick(done, null, { id: user.id, username: user.username }),
);
passport.deserializeUser((user, done) => process.nextTick(done, null, user));

const router = express.Router();

router.get('/login', (req, res) => res.render('page', { text: 'Sign in' }));

router.post(
  '/login/password',
  passport.authenticate('local', {
    successReturnToOrRedirect: '/',
    failureRedirect: '/login',
    failureMessage: true,
  }),
);

router.post('/logout', (req, res, next) => {
  req.logout(error => {
    if (error) return next(error);
    res.redirect('/');
  });
});

module.exports = router;
