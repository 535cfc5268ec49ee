/** Tokens against forged requests. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, statuses, visit, without } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** csrf-csrf: a signed double-submit cookie. */
    'csrf-csrf': {
      packages: ['csrf-csrf', 'cookie-parser'],
      exercised:
        'generateCsrfToken with overwrite and validateOnReuse, the protection, cookie options, getCsrfTokenFromRequest, several secrets, skipCsrfProtection, ignoredMethods, its error in an error handler',
      http2: true,

      async run({ listen, request }) {
        const express = require('express');
        const { doubleCsrf } = require('csrf-csrf');
        const { doubleCsrfProtection, generateCsrfToken, validateRequest, invalidCsrfTokenError } =
          doubleCsrf({
            getSecret: () => ['new', 'old'],
            getSessionIdentifier: req => req.get('X-Session') ?? 'nobody',
            cookieName: 'csrf',
            cookieOptions: { sameSite: 'strict', path: '/', secure: false, maxAge: 60_000 },
            ignoredMethods: ['GET', 'HEAD', 'OPTIONS', 'REPORT'],
            getCsrfTokenFromRequest: req => req.headers['x-csrf-token'] ?? req.body?.token,
            skipCsrfProtection: req => req.query.skip === 'yes',
          });
        const app = express();
        app.use(require('cookie-parser')(), express.json());
        app.get('/token', (req, res) => res.json({ token: generateCsrfToken(req, res) }));
        app.get('/again', (req, res) =>
          res.json({ token: generateCsrfToken(req, res, { overwrite: true }) }),
        );
        app.get('/checked', (req, res) =>
          res.json({ token: generateCsrfToken(req, res, { validateOnReuse: true }) }),
        );
        app.post('/asked', (req, res) => res.json(validateRequest(req)));
        app.use(doubleCsrfProtection);
        app.get('/method', (req, res) =>
          res.json({ fromMiddleware: typeof req.csrfToken(), token: req.csrfToken() }),
        );
        app.all('/', (req, res) => res.send(`${req.method} accepted`));
        app.use((err, req, res, next) => {
          if (err !== invalidCsrfTokenError) return next(err);
          res.status(err.statusCode).json({ code: err.code, message: err.message });
        });
        const server = await listen(app);
        const session = { 'X-Session': 'ada' };
        const [got] = await visit(request, server, [['GET /token', { headers: session }]]);
        const { token } = JSON.parse(got.body);
        const headers = { ...session, ...cookies(got) };
        const seen = await visit(request, server, [
          ['POST /', { headers: { ...headers, 'X-CSRF-Token': token } }],
          ['POST /', { headers, json: { token } }],
          ['POST /', { headers, json: { token: `${token}x` } }],
          ['POST /', { headers }],
          ['POST /', { headers: { ...headers, 'X-CSRF-Token': token, 'X-Session': 'eve' } }],
          ['POST /', { headers: { 'X-CSRF-Token': token } }],
          ['POST /?skip=yes', {}],
          ['REPORT /', {}],
          ['DELETE /', { headers: { ...headers, 'X-CSRF-Token': token } }],
          ['POST /asked', { headers: { ...headers, 'X-CSRF-Token': token } }],
          ['POST /asked', { headers }],
          ['GET /token', { headers }],
          ['GET /again', { headers }],
          ['GET /checked', { headers: { ...headers, 'X-Session': 'eve' } }],
          ['GET /method', { headers }],
        ]);
        assert.deepEqual(statuses(seen.slice(0, 9)), [200, 200, 403, 403, 403, 403, 200, 200, 200]);
        assert.equal(JSON.parse(seen[11].body).token, token);
        assert.notEqual(JSON.parse(seen[12].body).token, token);
        const random = /[\da-f]{64}\.[\da-f]+|(?<=Expires=)[^;"]+/g;
        return [got, ...seen].map(answer => without(answer, random));
      },
    },

    /** csurf: tokens against forged requests. */
    csurf: {
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
    },
  },
};
