/** serve-static itself next to the framework's static files. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['serve-static'],
  exercised:
    'index, extensions, dotfiles, fallthrough, redirect, maxAge, immutable, setHeaders, ranges, conditional requests, HEAD and other methods, mounted in routers, together with express.static',
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const serveStatic = require('serve-static');
    const files = {
      'index.html': '<p>home</p>',
      'about.html': 'about',
      'data.bin': '0123456789',
      '.secret': 'no',
      'dir/index.htm': 'dir',
      'dir/ü b.txt': 'ü',
    };
    fs.mkdirSync('public/dir', { recursive: true });
    const time = new Date('2020-01-02T03:04:05Z');
    for (const [name, text] of Object.entries(files)) {
      fs.writeFileSync(`public/${name}`, text);
      fs.utimesSync(`public/${name}`, time, time);
    }
    const app = express();
    app.use('/plain', serveStatic('public'));
    const setHeaders = (res, file, stat) => {
      note('file', file.slice(process.cwd().length), stat.size);
      res.setHeader('X-Set', 'yes');
    };
    app.use(
      '/options',
      serveStatic('public', {
        index: ['none.html', 'index.htm'],
        extensions: ['html', 'txt'],
        maxAge: '1d',
        immutable: true,
        setHeaders,
      }),
    );
    app.use(
      '/strict',
      serveStatic('public', {
        fallthrough: false,
        dotfiles: 'deny',
        redirect: false,
        acceptRanges: false,
        cacheControl: false,
      }),
    );
    app.use('/open', serveStatic('public', { dotfiles: 'allow', etag: false, lastModified: false }));
    const router = express.Router();
    router.use('/:name/files', serveStatic('public', { index: false }), express.static('public/dir'));
    app.use('/router', router);
    app.use('/missing', serveStatic('nowhere'));
    app.use((err, req, res, next) =>
      res
        .status(err.status ?? 500)
        .json({ message: err.message.replaceAll(process.cwd(), ''), code: err.code }),
    );
    const server = await listen(app);
    const paths = [
      '/',
      '',
      '/about',
      '/data.bin',
      '/.secret',
      '/dir',
      '/dir/',
      '/dir/%C3%BC%20b.txt',
      '/dir/%C3%BC%20b',
      '/nothing',
      '/../package.json',
      '/%2e%2e/x',
      '/%00',
      '/%E0',
    ];
    const seen = [];
    for (const name of ['plain', 'options', 'strict', 'open']) {
      seen.push(
        await visit(
          request,
          server,
          paths.map(path => `GET /${name}${path}`),
        ),
      );
    }
    const headers = { ETag: field(seen[0][3], 'etag'), Last: field(seen[0][3], 'last-modified') };
    const asked = 'GET /plain/data.bin';
    const more = await visit(request, server, [
      [asked, { headers: { 'If-None-Match': headers.ETag } }],
      [asked, { headers: { 'If-Modified-Since': headers.Last } }],
      [asked, { headers: { 'If-Match': '"other"' } }],
      [asked, { headers: { Range: 'bytes=2-4' } }],
      [asked, { headers: { Range: 'bytes=-3', 'If-Range': headers.ETag.slice(2) } }],
      [asked, { headers: { Range: 'bytes=20-' } }],
      [asked, { headers: { Range: 'bytes=0-1,4-5' } }],
      'HEAD /plain/data.bin',
      'POST /plain/data.bin',
      'POST /strict/data.bin',
      ['GET /strict/data.bin', { headers: { Range: 'bytes=0-1' } }],
      'GET /router/x/files/about.html',
      'GET /router/x/files/%C3%BC%20b.txt',
      'GET /router/x/files/',
      'GET /missing/x',
    ]);
    assert.equal(seen[0][0].body, '<p>home</p>');
    assert.deepEqual(statuses(more.slice(0, 6)), [304, 304, 412, 206, 200, 416]);
    assert.equal(field(seen[1][3], 'cache-control'), 'public, max-age=86400, immutable');
    note(Object.keys(serveStatic.mime).includes('types'));
    return { seen, more };
  },
};
