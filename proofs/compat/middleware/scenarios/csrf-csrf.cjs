/** csrf-csrf: a signed double-submit cookie. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, statuses, visit, without } = require('../support/visit.cjs');

module.exports = {
  packages: ['csrf-csrf', 'cookie-parser'],
  exercised:
    'generateCsrfToken with overwrite and validateOnReuse, the protection, cookie options, getCsrfTokenFromRequest, several secrets, skipCsrfProtection, ignoredMethods, its error in an error handler',
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const { doubleCsrf } = require('csrf-csrf');
    const { doubleCsrfProtection, generateCsrfToken, validateRequest, invalidCsrfTokenError } = doubleCsrf({
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
    app.get('/again', (req, res) => res.json({ token: generateCsrfToken(req, res, { overwrite: true }) }));
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
};
