/** csurf: tokens against forged requests. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, statuses, visit, without } = require('../support/visit.cjs');

module.exports = {
  packages: ['csurf', 'cookie-parser', 'express-session'],
  exercised:
    'the secret in a cookie, in a signed cookie and in a session; tokens in body, query and each header; value, ignoreMethods, sessionKey; errors with EBADCSRFTOKEN; a missing secret',
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const csurf = require('csurf');
    const app = express();
    app.use(require('cookie-parser')('secret'), express.urlencoded({ extended: false }));
    app.use('/plain', csurf({ cookie: true }));
    app.use(
      '/signed',
      csurf({ cookie: { key: 'secret', signed: true, httpOnly: true, sameSite: true, path: '/signed' } }),
    );
    const session = require('express-session');
    app.use(
      '/session',
      session({ secret: 's', resave: false, saveUninitialized: true, genid: () => 'fixed' }),
      csurf(),
    );
    app.use(
      '/value',
      csurf({ cookie: true, value: req => req.get('X-Mine'), ignoreMethods: ['GET', 'PUT'] }),
    );
    app.use('/broken', csurf());
    app.get('/:kind', (req, res) =>
      res.json({ token: req.csrfToken(), same: req.csrfToken() === req.csrfToken() }),
    );
    app.all('/:kind', (req, res) => res.send(`${req.method} accepted`));
    app.use((err, req, res, next) => {
      if (err.code !== 'EBADCSRFTOKEN') return next(err);
      res.status(err.status).json({ name: err.name, message: err.message, expose: err.expose });
    });
    const server = await listen(app);
    const record = {};
    const converse = async (kind, accepted) => {
      const got = await visit(request, server, [`GET /${kind}`]);
      const { token } = JSON.parse(got[0].body);
      const headers = cookies(got[0]);
      assert.ok(headers.Cookie.length > 10);
      const posts = ['CSRF-Token', 'XSRF-Token', 'X-CSRF-Token', 'X-XSRF-Token', 'X-Mine'].map(name => [
        `POST /${kind}`,
        { headers: { ...headers, [name]: token } },
      ]);
      posts.push(
        [`POST /${kind}`, { headers, form: { _csrf: token } }],
        [`POST /${kind}?_csrf=${encodeURIComponent(token)}`, { headers }],
        [`POST /${kind}`, { headers, form: { _csrf: `x${token}` } }],
        [`POST /${kind}`, { form: { _csrf: token } }],
        [`PUT /${kind}`, { headers }],
        [`HEAD /${kind}`, { headers }],
      );
      const seen = await visit(request, server, posts);
      assert.deepEqual(statuses(seen), accepted);
      const random = /(?<=(?:csrf|secret|sid)=)[\w%.-]+|(?<=token\\":\\")[\w-]+/g;
      record[kind] = [...got, ...seen].map(answer => ({
        ...without(answer, random),
        asked: answer.asked.split('?')[0],
      }));
    };
    const [yes, no] = [200, 403];
    await converse('plain', [yes, yes, yes, yes, no, yes, yes, no, no, no, yes]);
    await converse('signed', [yes, yes, yes, yes, no, yes, yes, no, no, no, yes]);
    await converse('session', [yes, yes, yes, yes, no, yes, yes, no, no, no, yes]);
    await converse('value', [no, no, no, no, yes, no, no, no, no, yes, no]);
    const [broken] = await visit(request, server, ['GET /broken']);
    assert.equal(broken.status, 500);
    return { record, broken };
  },
};
