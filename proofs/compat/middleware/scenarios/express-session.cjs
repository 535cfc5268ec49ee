/** express-session with the in-memory store and a custom one. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, field, signed, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-session'],
  exercised:
    'genid, name, resave, saveUninitialized, rolling, unset, several secrets, cookie options, secure: auto behind a proxy, regenerate, destroy, reload, save, touch, stores that fail and that disconnect, streams and redirects that set the cookie',
  override: true,
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const session = require('express-session');
    const app = express();
    app.set('trust proxy', 1);
    let made = 0;
    const genid = () => `id${++made}`;
    const base = { genid, resave: false, saveUninitialized: false, secret: ['new', 'old'] };
    const store = new session.MemoryStore();
    app.use('/lazy', session({ ...base, store }));
    app.use(
      '/eager',
      session({
        ...base,
        saveUninitialized: true,
        resave: true,
        name: 'eager',
        cookie: { sameSite: 'lax', path: '/eager' },
      }),
    );
    app.use('/rolling', session({ ...base, rolling: true, cookie: { maxAge: 60_000, httpOnly: false } }));
    app.use('/secure', session({ ...base, saveUninitialized: true, cookie: { secure: 'auto' } }));
    app.use('/unset', session({ ...base, unset: 'destroy' }));
    app.use('/failing', session({ ...base, store: failing(session), saveUninitialized: true }));
    const router = express.Router();
    // After reading it back from the store, the elapsed millisecond may be missing
    const inSeconds = age => (typeof age === 'number' ? Math.round(age / 1000) : age);
    router.get('/', (req, res) =>
      res.json({
        id: req.sessionID,
        views: req.session?.views,
        maxAge: inSeconds(req.session?.cookie.originalMaxAge),
      }),
    );
    router.post('/', (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.status(201).send(`views ${req.session.views}`);
    });
    router.post('/redirect', (req, res) => {
      req.session.views = 10;
      res.redirect(303, '.');
    });
    router.post('/stream', (req, res) => {
      req.session.views = 20;
      res.write('one ');
      res.end('two');
    });
    const done = (req, res, next) => err =>
      err ? next(err) : res.json({ id: req.sessionID, views: req.session?.views });
    router.post('/regenerate', (req, res, next) => req.session.regenerate(done(req, res, next)));
    router.post('/destroy', (req, res, next) => req.session.destroy(done(req, res, next)));
    router.post('/reload', (req, res, next) => {
      req.session.views = 1000;
      req.session.reload(done(req, res, next));
    });
    router.post('/save', (req, res, next) => {
      req.session.views = 30;
      req.session.save(done(req, res, next));
    });
    router.post('/touch', (req, res) => {
      req.session.cookie.maxAge = 5000;
      req.session.touch();
      res.send('touched');
    });
    router.post('/unset', (req, res) => {
      delete req.session;
      res.sendStatus(204);
    });
    for (const path of ['/lazy', '/eager', '/rolling', '/secure', '/unset', '/failing'])
      app.use(path, router);
    app.use((err, req, res, next) => {
      note('error', err.message, req.originalUrl);
      if (res.headersSent) return next(err);
      res.status(500).send(err.message);
    });
    const server = await listen(app);
    const seen = {};
    for (const name of ['lazy', 'eager', 'rolling', 'secure', 'unset']) {
      const first = await visit(request, server, [`GET /${name}`, `POST /${name}`]);
      const headers = { ...cookies(first[1]), 'X-Forwarded-Proto': name === 'secure' ? 'https' : 'http' };
      const paths = [
        '/',
        '/redirect',
        '/stream',
        '/reload',
        '/save',
        '/touch',
        '/regenerate',
        '/unset',
        '/destroy',
        '/',
      ];
      const visits = paths.map(path => [`POST /${name}${path}`, { headers }]);
      const last = [
        [`GET /${name}`, { headers }],
        [`GET /${name}`, { headers: { Cookie: `connect.sid=${signed('id2', 'old')}` } }],
        [`GET /${name}`, { headers: { Cookie: 'connect.sid=s%3Aid2.forged; eager=id2' } }],
      ];
      seen[name] = [
        ...first,
        ...(await visit(request, server, [[`GET /${name}`, { headers }], ...visits, ...last])),
      ];
    }
    assert.equal(field(seen.lazy[0], 'set-cookie'), undefined);
    assert.match(field(seen.lazy[1], 'set-cookie'), /^connect\.sid=s%3Aid2\.[^;]+; Path=\/; HttpOnly$/);
    assert.equal(JSON.parse(seen.lazy[2].body).views, 1);
    assert.equal(seen.lazy[3].body, 'views 2');
    assert.match(field(seen.rolling[2], 'set-cookie'), /Expires=/);
    assert.match(field(await secure(request, server), 'set-cookie'), /; Secure/);
    seen.failing = await visit(request, server, [
      'GET /failing',
      'POST /failing',
      ['GET /failing', { headers: { Cookie: `connect.sid=${signed('x', 'new')}` } }],
    ]);
    note(Object.keys(await new Promise(resolve => store.all((err, all) => resolve(all)))).sort());
    return JSON.parse(JSON.stringify(seen).replace(/Expires=[^;"]+/g, 'Expires=<date>'));
  },
};

async function secure(request, server) {
  const [answer] = await visit(request, server, [
    ['POST /secure', { headers: { 'X-Forwarded-Proto': 'https' } }],
  ]);
  return answer;
}

/** Returns a store that can neither read nor write. */
function failing(session) {
  const store = new session.Store();
  store.get = (id, callback) => setImmediate(callback, new Error('can not read'));
  store.set = (id, value, callback) => setImmediate(callback, new Error('can not write'));
  store.destroy = (id, callback) => setImmediate(callback, new Error('can not destroy'));
  return store;
}
