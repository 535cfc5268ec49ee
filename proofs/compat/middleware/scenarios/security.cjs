/** Headers and passwords: what an application is protected with. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** cors: preflight and simple requests from other origins. */
    cors: {
      packages: ['cors'],
      exercised:
        'defaults, a string, list, pattern and function as origin, options by request, credentials, methods, allowedHeaders, exposedHeaders, maxAge, preflightContinue, optionsSuccessStatus; for an application, a route and with app.options',
      http2: true,
      knownWithAliases: [
        {
          places: /^\.seen\.1[458]\.headers/,
          reason: 'what a function of cors refuses varies by origin, too',
        },
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
        app.use(
          '/list',
          cors({ origin: ['http://one.test', /\.two\.test$/], methods: ['GET', 'PATCH'] }),
          ok,
        );
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
    },

    /** express-basic-auth: names and passwords. */
    'express-basic-auth': {
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
          basicAuth({
            users,
            challenge: true,
            realm: req => req.path,
            unauthorizedResponse: { no: 'entry' },
          }),
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
    },

    /** helmet: security headers for browsers. */
    helmet: {
      packages: ['helmet'],
      exercised:
        'defaults, contentSecurityPolicy with functions of req and res, reportOnly and its errors, strictTransportSecurity, referrerPolicy, xFrameOptions, single middleware, hidePoweredBy, on errors, redirects, files and 404',
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const helmet = require('helmet');
        const fs = require('node:fs');
        fs.writeFileSync('page.html', '<p>page</p>');
        // In Express 5, the entity tag of sendFile, which contains this time, depends on the setting, not on the option.
        fs.utimesSync('page.html', 1_600_000_000, 1_600_000_000);
        const app = express();
        app.use('/default', helmet());
        const directives = {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", (req, res) => `'nonce-${res.locals.nonce}'`],
          styleSrc: null,
          'upgrade-insecure-requests': [],
        };
        const setNonce = (req, res, next) => {
          res.locals.nonce = req.query.nonce;
          next();
        };
        app.use(
          '/csp',
          setNonce,
          helmet({
            contentSecurityPolicy: { directives, reportOnly: true },
            crossOriginEmbedderPolicy: true,
          }),
        );
        app.use(
          '/options',
          helmet({
            contentSecurityPolicy: false,
            strictTransportSecurity: { maxAge: 123, includeSubDomains: false, preload: true },
            referrerPolicy: { policy: ['no-referrer', 'origin'] },
            xFrameOptions: { action: 'deny' },
            xPoweredBy: false,
            dnsPrefetchControl: { allow: true },
            crossOriginResourcePolicy: { policy: 'cross-origin' },
          }),
        );
        app.use('/single', helmet.noSniff(), helmet.hidePoweredBy(), helmet.xssFilter(), helmet.ieNoOpen());
        const router = express.Router();
        router.get('/', (req, res) => res.send('hello'));
        router.get('/json', (req, res) => res.set('X-Frame-Options', 'mine').json({}));
        router.get('/file', (req, res) =>
          res.sendFile('page.html', { root: '.', etag: false, lastModified: false }),
        );
        router.get('/away', (req, res) => res.redirect('/'));
        router.get('/fail', (req, res, next) => next(Object.assign(new Error('no'), { status: 403 })));
        app.use(['/default', '/csp', '/options', '/single', '/none'], router);
        const server = await listen(app);
        const seen = [];
        for (const path of ['default', 'csp', 'options', 'single', 'none']) {
          const paths = ['', '/json', '/file', '/away', '/fail', '/missing', '?nonce=abc', '?nonce=a;b'];
          seen.push(
            ...(await visit(
              request,
              server,
              paths.map(each => `GET /${path}${each}`),
            )),
          );
        }
        for (const options of [
          { contentSecurityPolicy: { directives: { 'bad directive': [] } } },
          { referrerPolicy: { policy: 'x' } },
          { strictTransportSecurity: { maxAge: -1 } },
        ]) {
          assert.throws(
            () => helmet(options),
            err => {
              note(err.message);
              return true;
            },
          );
        }
        assert.match(field(seen[0], 'content-security-policy'), /^default-src 'self'/);
        assert.equal(field(seen[0], 'x-powered-by'), undefined);
        assert.match(field(seen[14], 'content-security-policy-report-only'), /'nonce-abc'/);
        assert.equal(field(seen[16], 'strict-transport-security'), 'max-age=123; preload');
        assert.equal(field(seen[32], 'x-content-type-options'), undefined);
        return seen;
      },
    },
  },
};
