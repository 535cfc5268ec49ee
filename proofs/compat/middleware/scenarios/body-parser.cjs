/** body-parser next to the framework's own parsers. */
'use strict';

const assert = require('node:assert/strict');
const zlib = require('node:zlib');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['body-parser'],
  exercised:
    'json (limit, strict, type, reviver, verify), urlencoded (both), text, raw, compressed bodies, charsets, errors, a second parser after the first, the deprecated bodyParser()',
  warnings: { RISTRETTO_UNPARSED_BODY: 'bodies of types that the parsers of their route do not read' },
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const bodyParser = require('body-parser');
    const app = express();
    const echo = (req, res) => {
      const body = Buffer.isBuffer(req.body) ? { bytes: req.body.toString('hex') } : req.body;
      res.json({ body: body === undefined ? 'undefined' : body, parsed: req._body, text: req.text });
    };
    const keep = (req, res, bytes, encoding) => {
      req.text = `${encoding}:${bytes.length}`;
      if (bytes.includes('forbidden')) throw new Error('refused');
    };
    app.post('/json', bodyParser.json({ limit: 60, verify: keep }), echo);
    const reviver = (key, value) => (typeof value === 'number' ? value * 2 : value);
    app.post('/loose', bodyParser.json({ strict: false, type: '*/*', reviver }), echo);
    app.post('/api', bodyParser.json({ type: ['application/*+json', 'text/json'] }), echo);
    app.post('/form', bodyParser.urlencoded({ extended: true, parameterLimit: 4 }), echo);
    app.post('/simple', bodyParser.urlencoded({ extended: false }), echo);
    app.post('/text', bodyParser.text({ type: 'text/*', defaultCharset: 'latin1' }), echo);
    app.post('/raw', bodyParser.raw({ type: () => true, inflate: false }), echo);
    app.post('/both', bodyParser.json(), express.json(), bodyParser.urlencoded({ extended: true }), echo);
    app.post('/other', express.json(), bodyParser.json(), express.raw({ type: '*/*' }), echo);
    app.post('/old', bodyParser(), echo);
    app.use((err, req, res, next) => {
      const { status, type, message, expose, limit, length, body } = err;
      res.status(status ?? 500).json({ type, message, expose, limit, length, body });
      next.called = false;
    });
    const server = await listen(app);
    const type = value => ({ 'Content-Type': value });
    const form = type('application/x-www-form-urlencoded');
    const seen = await visit(request, server, [
      ['POST /json', { json: { a: [1, 'é'], __proto__: null } }],
      ['POST /json', { json: { a: 'x'.repeat(80) } }],
      ['POST /json', { json: 'forbidden' }],
      ['POST /json', { headers: type('application/json'), body: '{"a":' }],
      ['POST /json', { headers: type('application/json'), body: '7' }],
      ['POST /json', { headers: type('application/json'), body: '' }],
      [
        'POST /json',
        { headers: type('application/json; charset=utf-16le'), body: Buffer.from('[1]', 'utf16le') },
      ],
      ['POST /json', { headers: type('application/json; charset=x-none'), body: '[1]' }],
      [
        'POST /json',
        {
          headers: { ...type('application/json'), 'Content-Encoding': 'gzip' },
          body: zlib.gzipSync('{"z":1}'),
        },
      ],
      [
        'POST /json',
        { headers: { ...type('application/json'), 'Content-Encoding': 'gzip' }, body: 'not gzip' },
      ],
      ['POST /json', { headers: { ...type('application/json'), 'Content-Encoding': 'rot13' }, body: '{}' }],
      ['POST /json', { headers: type('text/plain'), body: 'ignored' }],
      ['POST /loose', { headers: type('text/plain'), body: '21' }],
      ['POST /loose', { headers: type('text/plain'), body: '{"n":{"m":1}}' }],
      ['POST /api', { headers: type('application/vnd.api+json'), body: '{"b":2}' }],
      ['POST /api', { headers: type('application/json'), body: '{"b":2}' }],
      ['POST /form', { headers: form, body: 'a[b][]=1&a[b][]=2&c=%C3%A9+x' }],
      ['POST /form', { headers: form, body: 'a=1&b=2&c=3&d=4&e=5' }],
      ['POST /form', { headers: form, body: '__proto__[x]=1&constructor=y' }],
      ['POST /simple', { headers: form, body: 'a[b]=1&a[b]=2&c' }],
      ['POST /simple', { headers: type('application/x-www-form-urlencoded; charset=koi8-r'), body: 'a=1' }],
      ['POST /text', { headers: type('text/html'), body: Buffer.from([0xe9]) }],
      ['POST /text', { headers: type('text/plain; charset=utf-8'), body: 'é' }],
      ['POST /raw', { headers: { ...form, 'Content-Encoding': 'deflate' }, body: zlib.deflateSync('x') }],
      ['POST /raw', { headers: type('image/png'), body: Buffer.from([0, 255]) }],
      ['POST /both', { json: { once: true } }],
      ['POST /both', { form: { once: 'too' } }],
      ['POST /other', { json: { once: true } }],
      ['POST /other', { body: 'bytes' }],
      ['POST /old', { form: { a: 'b' } }],
    ]);
    assert.equal(JSON.parse(seen[0].body).body.a[1], 'é');
    assert.deepEqual(statuses(seen.slice(0, 5)), [200, 413, 403, 400, 400]);
    assert.equal(JSON.parse(seen[16].body).body.c, 'é x');
    assert.equal(JSON.parse(seen[25].body).body.once, true);
    return seen;
  },
};
