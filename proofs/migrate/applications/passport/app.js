const path = require('path');
const cookieParser = require('cookie-parser');
const express = require('express');
const logger = require('morgan');
const passport = require('passport');
const session = require('express-session');
const authRouter = require('./routes/auth');

const app = express();

app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'ejs');

app.use(logger('dev', { skip: () => process.env.CI }));
app.use(express.json());
app.use(express.urlencoded({ extended: false }));
app.use(cookieParser());
app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
app.use(passport.authenticate('session'));
app.use((req, res, next) => {
  res.locals.messages = req.session.messages || [];
  req.session.messages = [];
  next();
});

app.get('/', (req, res) =>
  res.render('page', { text: req.user ? `Signed in as ${req.user.username}` : 'Signed out' }),
);
app.get('/private', (req, res) => {
  if (!req.isAuthenticated()) return res.redirect('/login');
  res.json({ user: req.user.username });
});
app.get('/back', (req, res) => res.redirect('back'));
app.use('/', authRouter);

app.use((req, res) => {
  res.status(404).render('page', { text: 'Not Found' });
});

app.use((error, req, res, next) => {
  res.status(error.status || 500).render('page', { text: error.message });
});

module.exports = app;
