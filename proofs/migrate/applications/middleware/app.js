/** An application that uses each package that has a replacement, as their Readmes show. */
'use strict';
const bodyParser = require('body-parser');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const cookieSession = require('cookie-session');
const cors = require('cors');
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const session = require('express-session');
const helmet = require('helmet');
const morgan = require('morgan');
const multer = require('multer');
const serveStatic = require('serve-static');

const lines = [];
const app = express();
let ids = 0;

app.set('trust proxy', 1);
app.use(
  morgan(':method :url :status :res[content-type] ":user-agent"', {
    stream: { write: line => lines.push(line) },
  }),
);
app.use(helmet({ contentSecurityPolicy: { directives: { scriptSrc: ["'self'", 'cdn.example.com'] } } }));
app.use(cors({ origin: ['https://app.example.com', /\.example\.org$/], credentials: true, maxAge: 600 }));
app.use(compression({ threshold: 500 }));
app.use(cookieParser('keyboard cat'));
app.use(
  '/limited',
  rateLimit({ windowMs: 60_000, limit: 2, standardHeaders: 'draft-8', legacyHeaders: false }),
);
app.use('/cart', cookieSession({ name: 'cart', keys: ['new', 'old'] }));
app.use(
  '/account',
  session({
    secret: 'keyboard cat',
    resave: false,
    saveUninitialized: false,
    cookie: { secure: 'auto', sameSite: 'lax' },
    genid: () => `id-${++ids}`,
  }),
);
app.use(bodyParser.json(), bodyParser.urlencoded({ extended: true }));
app.use('/files', serveStatic(__dirname, { index: false, maxAge: '1 day' }));

app.get('/', (req, res) => res.json({ cookies: req.cookies, signed: req.signedCookies }));
app.get('/cookie', (req, res) =>
  res.cookie('theme', { dark: true }, { signed: true, httpOnly: true }).send('set'),
);
app.get('/long', (req, res) => res.type('text').send('The quick brown fox. '.repeat(200)));
app.get('/limited', (req, res) => res.json({ used: req.rateLimit.used, remaining: req.rateLimit.remaining }));
app.get('/cart', (req, res) => {
  req.session.items = (req.session.items ?? 0) + 1;
  res.json({ items: req.session.items, isNew: req.session.isNew });
});
app.get('/account', (req, res) => {
  req.session.views = (req.session.views ?? 0) + 1;
  res.json({ views: req.session.views, id: req.sessionID });
});
app.post('/account/login', (req, res, next) => {
  req.session.regenerate(error => {
    if (error) return next(error);
    req.session.user = req.body.user;
    res.redirect('/account');
  });
});
app.post('/account/logout', (req, res, next) => {
  req.session.destroy(error => (error ? next(error) : res.sendStatus(204)));
});
app.post('/echo', (req, res) => res.json(req.body));
app.post('/upload', multer({ limits: { fileSize: 1000 } }).single('file'), (req, res) => {
  const { originalname, mimetype, size, buffer } = req.file;
  res.json({ originalname, mimetype, size, text: buffer.toString(), fields: { ...req.body } });
});
app.get('/log', (req, res) => res.json(lines));
app.use((error, req, res, next) => {
  res.status(error.status ?? 500).json({ message: error.message, code: error.code ?? error.type });
});

module.exports = app;
