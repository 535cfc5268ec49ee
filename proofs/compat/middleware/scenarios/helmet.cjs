/** helmet: security headers for browsers. */
'use strict';

const assert = require('node:assert/strict');
const { field, visit } = require('../support/visit.cjs');

module.exports = {
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
      helmet({ contentSecurityPolicy: { directives, reportOnly: true }, crossOriginEmbedderPolicy: true }),
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
};
