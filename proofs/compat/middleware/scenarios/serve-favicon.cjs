/** serve-favicon: an icon, cached in memory. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['serve-favicon'],
  exercised:
    'a path and a buffer, maxAge as number and text, other methods, conditional requests, other paths, mounted, errors of options, a file that is deleted after the first request',

  async run({ listen, request, note }) {
    const express = require('express');
    const favicon = require('serve-favicon');
    fs.writeFileSync('icon.ico', 'icon from a file');
    const app = express();
    app.use(favicon('icon.ico'));
    app.use('/buffer', favicon(Buffer.from('icon from memory'), { maxAge: 1000 }));
    app.use('/text', favicon(Buffer.from('icon'), { maxAge: '2h' }));
    app.use((req, res) => res.status(404).send(`no ${req.originalUrl}`));
    const server = await listen(app);
    const first = await visit(request, server, ['GET /favicon.ico']);
    fs.rmSync('icon.ico');
    const tag = { headers: { 'If-None-Match': field(first[0], 'etag') } };
    const seen = await visit(request, server, [
      'GET /favicon.ico?v=2',
      ['GET /favicon.ico', tag],
      ['GET /favicon.ico', { headers: { ...tag.headers, 'Cache-Control': 'no-cache' } }],
      'HEAD /favicon.ico',
      'OPTIONS /favicon.ico',
      'POST /favicon.ico',
      'GET /buffer/favicon.ico',
      ['GET /text/favicon.ico', { headers: { Range: 'bytes=0-1' } }],
      'GET /buffer',
      'GET //favicon.ico',
      'GET /FAVICON.ICO',
    ]);
    assert.equal(first[0].body, 'icon from a file');
    assert.deepEqual(statuses(seen), [200, 304, 200, 200, 200, 405, 200, 200, 404, 404, 404]);
    assert.equal(field(seen[7], 'cache-control'), 'public, max-age=7200');
    for (const bad of [undefined, '', 7, '.', 'missing.ico']) {
      try {
        note(typeof favicon(bad));
      } catch (err) {
        note(err.name, err.code, err.message.replaceAll(process.cwd(), '<cwd>'));
      }
    }
    return [...first, ...seen];
  },
};
