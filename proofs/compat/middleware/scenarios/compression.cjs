/** compression, before everything that writes. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

module.exports = {
  packages: ['compression'],
  exercised:
    'gzip, deflate, br, threshold, filter, level, res.flush, streams, static files with ranges, json, HEAD, 304, no-transform, a response of a mounted router',
  override: true,
  http2: true,
  knownWithAliases: [
    {
      places: /\.(?:rawHeaders|headers)\b/,
      reason: 'a body that is compressed as a whole has a Content-Length, and is not sent in chunks',
    },
  ],

  async run({ listen, request }) {
    const express = require('express');
    const compression = require('compression');
    const page = '<p>line</p>\n'.repeat(300);
    fs.writeFileSync('page.html', page);
    // In Express 5, the entity tag of sendFile, which contains this time, depends on the setting, not on the option.
    fs.utimesSync('page.html', 1_600_000_000, 1_600_000_000);
    fs.writeFileSync('small.txt', 'small');
    const app = express();
    app.use('/always', compression({ threshold: 0, level: 1 }));
    const filter = (req, res) => !req.query.plain && compression.filter(req, res);
    app.use(compression({ threshold: '1kb', filter }));
    app.get('/send', (req, res) => res.send(page));
    app.get('/json', (req, res) => res.json({ page }));
    app.get('/small', (req, res) => res.send('small'));
    app.get('/always/small', (req, res) => res.send('small'));
    app.get('/png', (req, res) => res.type('png').send(Buffer.alloc(3000)));
    app.get('/no-transform', (req, res) => res.set('Cache-Control', 'no-transform').send(page));
    app.get('/encoded', (req, res) => res.set('Content-Encoding', 'identity').send(page));
    app.get('/flushed', (req, res) => {
      res.type('html').write(page);
      res.flush();
      res.end('<p>end</p>');
    });
    app.get('/piped', (req, res) => fs.createReadStream('page.html').pipe(res.type('text')));
    app.get('/file', (req, res) =>
      res.sendFile(path.resolve('page.html'), { lastModified: false, etag: false }),
    );
    const router = express.Router();
    router.get('/', (req, res) => res.status(201).links({ next: '/x' }).send(page));
    router.get('/fail', (req, res, next) => next({ status: 418, stack: 'x'.repeat(3000) }));
    app.use('/router', router);
    app.use('/static', express.static('.', { lastModified: false, etag: false }));
    const server = await listen(app);

    const seen = {};
    const get = async (target, encoding, more = {}) => {
      const headers = { ...(encoding && { 'Accept-Encoding': encoding }), ...more.headers };
      const answer = await request(server, {
        path: target,
        method: more.method,
        headers,
        encoding: 'base64',
      });
      const bytes = Buffer.from(answer.body, 'base64');
      const open = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync };
      const coding = answer.headers['content-encoding'];
      const text = bytes.length > 0 && open[coding] ? open[coding](bytes) : bytes;
      const { status, rawHeaders } = answer;
      const body = text.toString('latin1');
      seen[`${Object.keys(seen).length} ${target} ${encoding}`] = {
        status,
        rawHeaders,
        body,
        trailers: answer.trailers,
      };
      return { ...answer, coding, text: body };
    };
    assert.equal((await get('/send', 'gzip')).text, page);
    for (const encoding of ['deflate', 'br', 'gzip;q=0', '*', undefined, 'gzip, deflate, br'])
      await get('/send', encoding);
    assert.equal((await get('/json', 'gzip')).coding, 'gzip');
    assert.equal((await get('/small', 'gzip')).coding, undefined);
    assert.equal((await get('/always/small', 'gzip')).coding, 'gzip');
    for (const target of [
      ...['/png', '/no-transform', '/encoded', '/flushed', '/piped', '/file', '/send?plain=1', '/router'],
      ...['/static/', '/missing'],
    ]) {
      await get(target, 'gzip');
    }
    await get('/send', 'gzip', { method: 'HEAD' });
    await get('/send', 'gzip', { method: 'OPTIONS' });
    await get('/static/page.html', 'gzip');
    await get('/static/page.html', 'gzip', { headers: { Range: 'bytes=0-1999' } });
    await get('/static/small.txt', 'gzip');
    const { headers } = await get('/json', 'br');
    assert.equal((await get('/json', 'gzip', { headers: { 'If-None-Match': headers.etag } })).status, 304);
    const failed = await get('/router/fail', 'gzip');
    assert.equal(failed.status, 418);
    return seen;
  },
};
