/** cookie-parser with cookies set by the framework. */
'use strict';

const assert = require('node:assert/strict');
const { cookies, field, signed, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['cookie-parser'],
  exercised:
    'plain, signed and JSON cookies of res.cookie read again, several secrets, forged signatures, decode, clearCookie, no secret, two parsers, malformed fields, the static helpers',
  override: true,
  http2: true,
  warnings: {
    RISTRETTO_SHORT_SECRET: 'the secrets have three characters',
    RISTRETTO_COOKIE: 'one cookie is for example.com',
  },

  async run({ listen, request, note }) {
    const express = require('express');
    const cookieParser = require('cookie-parser');
    const show = (req, res) =>
      res.json({ cookies: req.cookies, signed: req.signedCookies, secret: req.secret });
    const app = express();
    app.use('/plain', cookieParser());
    app.use('/decode', cookieParser(null, { decode: text => `<${text}>` }));
    app.use(cookieParser(['new', 'old']));
    app.get('/set', (req, res) => {
      res.cookie('name', 'Ada & co', { maxAge: 60_000, httpOnly: true, sameSite: 'lax', path: '/' });
      res.cookie('json', { a: [1, { b: 'é' }] });
      res.cookie('signed', 'value', { signed: true, sameSite: 'none', secure: true });
      res.cookie(
        'signedJson',
        { user: 1 },
        { signed: true, priority: 'high', partitioned: true, secure: true },
      );
      res.cookie('raw', 'a%20b', { encode: String, domain: 'example.com' });
      res.clearCookie('gone', { path: '/x', maxAge: 5 });
      res.send('set');
    });
    app.get('/plain/signed', (req, res) => res.cookie('a', 'b', { signed: true }).send('never'));
    app.get(['/show', '/plain', '/decode'], show);
    const server = await listen(app);
    const [set] = await visit(request, server, ['GET /set']);
    assert.match(set.headers.join('\n'), /signed=s%3Avalue\./);
    const headers = cookies(set);
    const { sign } = require('cookie-signature');
    const old = {
      Cookie: `signed=s%3A${encodeURIComponent(sign('value', 'old'))}; forged=s%3Avalue.AAAA; plain=s:`,
    };
    const seen = await visit(request, server, [
      ['GET /show', { headers }],
      ['GET /show', { headers: old }],
      ['GET /plain', { headers }],
      ['GET /decode', { headers }],
      'GET /show',
      [
        'GET /show',
        { headers: { Cookie: 'a; b=; =c; d=%E0; e="quoted"; d=again; __proto__=x; j=j:{bad; k=j:[1]' } },
      ],
      ['GET /show', { headers: { Cookie: `long=${'x'.repeat(3000)}; constructor=1` } }],
      'GET /plain/signed',
    ]);
    const shown = JSON.parse(seen[0].body);
    assert.deepEqual(shown.cookies.json, { a: [1, { b: 'é' }] });
    assert.deepEqual(shown.signed, { signed: 'value', signedJson: { user: 1 } });
    assert.deepEqual(JSON.parse(seen[1].body).signed, { signed: 'value', forged: false, plain: false });
    assert.equal(seen[7].status, 500);
    note(
      cookieParser.JSONCookie('j:{"a":1}'),
      cookieParser.signedCookie(decodeURIComponent(signed('x', 'y')), 'y'),
    );
    note(cookieParser.JSONCookies({ a: 'j:[1]', b: 'c' }), field(set, 'content-type'));
    const expires = /Expires=(?!Thu, 01 Jan 1970)[^;"]+/g;
    return JSON.parse(JSON.stringify([set, ...seen]).replace(expires, 'Expires=<date>'));
  },
};
