/** cookie-session: the session is stored in the cookie itself. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['cookie-session'],
  exercised:
    'keys and their rotation, changes, isNew, isChanged, isPopulated, null, sessionOptions of one request, a value that is not an object, forged and unsigned cookies, a redirect that sets it, secure behind a proxy',
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const cookieSession = require('cookie-session');
    const app = express();
    app.set('trust proxy', true);
    app.use('/old', cookieSession({ name: 'session', keys: ['old'] }));
    app.use('/plain', cookieSession({ name: 'plain', signed: false, httpOnly: false, sameSite: 'strict' }));
    app.use('/secure', cookieSession({ name: 'safe', keys: ['new'], secure: true, secureProxy: undefined }));
    app.use('/app', cookieSession({ name: 'session', keys: ['new', 'old'], maxAge: 3_600_000 }));
    const show = (req, res) => {
      const { isNew, isChanged, isPopulated } = req.session ?? {};
      res.json({ session: req.session, isNew, isChanged, isPopulated });
    };
    const count = (req, res) => {
      req.session.views = (req.session.views || 0) + 1;
      req.session.user ??= { name: 'Ädä' };
      res.send(`views: ${req.session.views}`);
    };
    app.get(['/app', '/plain', '/secure'], show);
    app.post(['/app', '/plain', '/secure', '/old'], count);
    app.delete('/app', (req, res) => {
      req.session = null;
      res.sendStatus(204);
    });
    app.post('/app/short', (req, res) => {
      req.sessionOptions.maxAge = 1000;
      req.sessionOptions.path = '/app/short';
      req.session.short = true;
      res.redirect('/app');
    });
    app.post('/app/text', (req, res) => {
      req.session = 'text';
      res.send('never');
    });
    const server = await listen(app);
    const [none, made] = await visit(request, server, ['GET /app', 'POST /app']);
    const headers = cookies(made);
    assert.match(headers.Cookie, /^session=[^;]+; session\.sig=/);
    const [old, plain] = await visit(request, server, ['POST /old', 'POST /plain']);
    const seen = await visit(request, server, [
      ['GET /app', { headers }],
      ['POST /app', { headers }],
      ['DELETE /app', { headers }],
      ['POST /app/short', { headers }],
      ['POST /app/text', { headers }],
      ['GET /app', { headers: cookies(old) }],
      ['GET /app', { headers: { Cookie: headers.Cookie.replace('session=e', 'session=f') } }],
      ['GET /app', { headers: { Cookie: headers.Cookie.split(';')[0] } }],
      ['GET /plain', { headers: cookies(plain) }],
      ['GET /plain', { headers: { Cookie: 'plain=bm90IGpzb24=' } }],
      'POST /secure',
      ['POST /secure', { headers: { 'X-Forwarded-Proto': 'https' } }],
    ]);
    assert.deepEqual(JSON.parse(seen[0].body).session, { views: 1, user: { name: 'Ädä' } });
    assert.equal(seen[1].body, 'views: 2');
    assert.deepEqual(JSON.parse(seen[5].body).session.views, 1);
    assert.deepEqual(JSON.parse(seen[6].body).session, {});
    const expires = /expires=(?!Thu, 01 Jan 1970)[^;"]+/g;
    return JSON.parse(JSON.stringify([none, made, old, plain, ...seen]).replace(expires, 'expires=<date>'));
  },
};
