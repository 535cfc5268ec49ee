/** cors: preflight and simple requests from other origins. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['cors'],
  exercised:
    'defaults, a string, list, pattern and function as origin, options by request, credentials, methods, allowedHeaders, exposedHeaders, maxAge, preflightContinue, optionsSuccessStatus; for an application, a route and with app.options',
  http2: true,
  knownWithAliases: [
    { places: /^\.seen\.1[458]\.headers/, reason: 'what a function of cors refuses varies by origin, too' },
  ],

  async run({ listen, request }) {
    const express = require('express');
    const cors = require('cors');
    const app = express();
    const ok = (req, res) => res.json({ ok: true });
    app.get('/default', cors(), ok);
    app.options('/default', cors());
    const one = cors({
      origin: 'http://one.test',
      credentials: true,
      exposedHeaders: ['X-A', 'X-B'],
      maxAge: 60,
    });
    app.route('/one').options(one).get(one, ok).put(one, ok);
    app.use('/list', cors({ origin: ['http://one.test', /\.two\.test$/], methods: ['GET', 'PATCH'] }), ok);
    app.use('/headers', cors({ allowedHeaders: 'X-Only', optionsSuccessStatus: 200 }), ok);
    app.use('/continued', cors({ preflightContinue: true }));
    app.options('/continued', (req, res) => res.status(206).send('mine'));
    const choose = (origin, callback) =>
      origin === 'http://bad.test'
        ? callback(Object.assign(new Error('bad origin'), { status: 403 }))
        : callback(null, origin !== 'http://no.test');
    app.use('/function', cors({ origin: choose }), ok);
    const perRequest = (req, callback) =>
      callback(null, { origin: req.query.open === 'yes', credentials: req.xhr });
    app.use('/request', cors(perRequest), ok);
    app.use('/off', cors({ origin: false }), ok);
    const server = await listen(app);
    const from = (Origin, more) => ({ headers: { Origin, ...more } });
    const ask = (origin, method, fields) =>
      from(origin, {
        'Access-Control-Request-Method': method,
        ...(fields && { 'Access-Control-Request-Headers': fields }),
      });
    const seen = await visit(request, server, [
      'GET /default',
      ['GET /default', from('http://one.test')],
      ['OPTIONS /default', ask('http://one.test', 'DELETE', 'X-Token, Content-Type')],
      ['GET /one', from('http://one.test')],
      ['GET /one', from('http://two.test')],
      ['OPTIONS /one', ask('http://one.test', 'PUT', 'X-Token')],
      ['PUT /one', from('http://one.test')],
      ['GET /list', from('http://a.two.test')],
      ['GET /list', from('http://three.test')],
      ['OPTIONS /list', ask('http://one.test', 'PATCH')],
      ['OPTIONS /headers', ask('http://one.test', 'GET', 'X-Other')],
      ['OPTIONS /continued', ask('http://one.test', 'GET')],
      ['GET /continued', from('http://one.test')],
      ['GET /function', from('http://yes.test')],
      ['GET /function', from('http://no.test')],
      ['GET /function', from('http://bad.test')],
      ['OPTIONS /function', ask('http://yes.test', 'GET')],
      ['GET /request?open=yes', from('http://one.test', { 'X-Requested-With': 'XMLHttpRequest' })],
      ['GET /request', from('http://one.test')],
      ['OPTIONS /off', ask('http://one.test', 'GET')],
    ]);
    assert.equal(field(seen[1], 'access-control-allow-origin'), '*');
    assert.equal(seen[2].status, 204);
    assert.equal(field(seen[3], 'access-control-allow-credentials'), 'true');
    assert.equal(field(seen[5], 'access-control-max-age'), '60');
    assert.equal(field(seen[7], 'access-control-allow-origin'), 'http://a.two.test');
    assert.equal(field(seen[8], 'access-control-allow-origin'), undefined);
    assert.deepEqual(statuses(seen.slice(10, 16)), [200, 206, 404, 200, 200, 403]);
    return seen;
  },
};
