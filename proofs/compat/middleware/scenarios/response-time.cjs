/** response-time: the duration of a response. */
'use strict';

const assert = require('node:assert/strict');
const { field, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['response-time'],
  exercised:
    'the header, its name, digits and suffix, a function of req, res and time, on json, streams, files, errors, redirects and 404, a header that is already set',
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const responseTime = require('response-time');
    require('node:fs').writeFileSync('file.txt', 'file');
    const app = express();
    app.use('/default', responseTime());
    app.use('/options', responseTime({ digits: 0, header: 'X-Took', suffix: false }));
    app.use(
      '/function',
      responseTime((req, res, time) => {
        note(req.url, req.baseUrl, res.statusCode, res.headersSent, time > 0);
        res.setHeader('X-Function', 'yes');
      }),
    );
    const router = express.Router();
    router.get('/', (req, res) => setTimeout(() => res.json({}), 20));
    router.get('/set', (req, res) => res.set('X-Response-Time', 'mine').send('set'));
    router.get('/stream', (req, res) => {
      res.write('a');
      res.end('b');
    });
    router.get('/empty', (req, res) => res.sendStatus(204));
    router.get('/away', (req, res) => res.redirect('/'));
    router.get('/fail', (req, res, next) => next(Object.assign(new Error('failed'), { status: 400 })));
    router.use('/files', express.static('.', { etag: false, lastModified: false }));
    for (const path of ['/default', '/options', '/function']) app.use(path, router);
    const server = await listen(app);
    const paths = ['', '/set', '/stream', '/empty', '/away', '/fail', '/files/file.txt', '/missing'];
    const lines = ['default', 'options', 'function'].flatMap(name =>
      paths.map(path => `GET /${name}${path}`),
    );
    const seen = await visit(request, server, [...lines, 'HEAD /default', 'GET /elsewhere']);
    assert.match(field(seen[0], 'x-response-time'), /^\d+\.\d{3}ms$/);
    assert.ok(parseFloat(field(seen[0], 'x-response-time')) >= 18);
    assert.match(field(seen[8], 'x-took'), /^\d+$/);
    assert.equal(field(seen[1], 'x-response-time'), 'mine');
    assert.ok(seen.slice(16, 24).every(answer => field(answer, 'x-function') === 'yes'));
    return JSON.parse(JSON.stringify(seen).replace(/(X-Response-Time|X-Took): [\d.]+/gi, '$1: <time>'));
  },
};
