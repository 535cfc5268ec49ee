/** express-basic-auth: names and passwords. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-basic-auth'],
  exercised:
    'users, authorizer, authorizeAsync, challenge with a realm as a string and function, unauthorizedResponse as a string, object and function, req.auth, safeCompare, malformed fields, errors of options',
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const basicAuth = require('express-basic-auth');
    const app = express();
    const users = { ada: 'lovelace', empty: '' };
    app.use('/users', basicAuth({ users }));
    app.use('/challenge', basicAuth({ users, challenge: true, realm: 'Engine "1"' }));
    app.use(
      '/realm',
      basicAuth({ users, challenge: true, realm: req => req.path, unauthorizedResponse: { no: 'entry' } }),
    );
    const safe = (name, password) =>
      basicAuth.safeCompare(name, 'ada') & basicAuth.safeCompare(password, 'ü:x');
    app.use(
      '/custom',
      basicAuth({ authorizer: safe, unauthorizedResponse: req => `no: ${req.auth?.user ?? 'nobody'}` }),
    );
    const authorizer = (name, password, callback) => setImmediate(callback, null, password === 'yes');
    app.use('/async', basicAuth({ authorizeAsync: true, authorizer }));
    app.use((req, res) => res.json(req.auth));
    app.use((err, req, res, next) => {
      if (res.headersSent) return next(err);
      res.status(500).send(err.message);
    });
    const server = await listen(app);
    const as = (name, password) => ({
      headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
    });
    const seen = [];
    for (const path of ['users', 'challenge', 'realm/x', 'custom', 'async']) {
      const asked = `GET /${path}`;
      seen.push(
        await visit(request, server, [
          asked,
          [asked, as('ada', 'lovelace')],
          [asked, as('ada', 'wrong')],
          [asked, as('empty', '')],
          [asked, as('ada', 'ü:x')],
          [asked, as('eve', 'yes')],
          [asked, { headers: { Authorization: 'Bearer x' } }],
          [asked, { headers: { Authorization: 'Basic ???' } }],
        ]),
      );
    }
    assert.deepEqual(statuses(seen[0]), [401, 200, 401, 200, 401, 401, 401, 401]);
    assert.deepEqual(statuses(seen[3]), [401, 401, 401, 401, 200, 401, 401, 401]);
    assert.equal(seen[4][5].status, 200);
    for (const options of [{ users: 'x' }, { authorizer: true }, { users, challenge: true, realm: 1 }]) {
      try {
        note(typeof basicAuth(options));
      } catch (err) {
        note(err.message);
      }
    }
    return seen;
  },
};
