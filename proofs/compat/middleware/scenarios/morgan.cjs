/** morgan: logs a line for each request. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { Writable } = require('node:stream');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['morgan', 'express-basic-auth'],
  exercised:
    'every named format, tokens (url in mounted routers, req, res, remote-user, custom tokens, with arguments), compile, format, immediate, skip, a custom stream, chunked responses, files, 304, HEAD, errors, 404, clients that disconnect',
  override: true,
  http2: true,
  knownOverHttp2: [{ places: /^\.seen\.lines/, reason: 'the version of HTTP is in the lines' }],

  async run({ listen, request, note }) {
    const express = require('express');
    const morgan = require('morgan');
    const basicAuth = require('express-basic-auth');
    const lines = {};
    const into = name => ({
      stream: new Writable({
        write(chunk, encoding, callback) {
          (lines[name] ??= []).push(String(chunk));
          callback();
        },
      }),
    });
    morgan.token('route', (req, res) => `${req.baseUrl}|${req.route?.path}|${res.locals.user}`);
    morgan.token('param', (req, res, name) => req.params?.[name] ?? req.query[name]);
    morgan.format(
      'mine',
      (tokens, req, res) =>
        `${tokens.method(req, res)} ${tokens.url(req, res)} ${tokens.status(req, res)} ${tokens.res(req, res, 'content-length')}`,
    );
    const app = express();
    app.set('trust proxy', true);
    for (const name of ['combined', 'common', 'short', 'tiny', 'dev', 'mine'])
      app.use(morgan(name, into(name)));
    app.use(
      morgan(
        ':remote-addr :route :param[id] :req[x-a] :res[etag] :res[x-list] :http-version :referrer :user-agent',
        into('tokens'),
      ),
    );
    app.use(morgan('tiny', { ...into('immediate'), immediate: true }));
    app.use(morgan('mine', { ...into('skipped'), skip: (req, res) => res.statusCode < 400 }));
    app.use((req, res, next) => {
      res.locals.user = 'ada';
      next();
    });
    app.get('/', (req, res) => res.set('X-List', ['a', 'b']).send('hello'));
    app.get('/chunks', (req, res) => {
      res.write('one');
      res.end('two');
    });
    const router = express.Router();
    router.get('/:id', (req, res) => res.json(req.params));
    app.use('/mounted', router);
    app.use('/private', basicAuth({ users: { ada: 'x' } }), (req, res) => res.redirect('/'));
    app.get('/fail', (req, res, next) =>
      next(Object.assign(new Error('failed'), { status: 503, stack: 'Error: failed' })),
    );
    fs.writeFileSync('file.txt', 'file');
    app.use('/files', express.static('.', { etag: false, lastModified: false }));
    const server = await listen(app);
    const seen = await visit(request, server, [
      [
        'GET /?id=1',
        {
          headers: {
            'X-A': 'x "quoted"',
            Referer: 'http://example.test/',
            'User-Agent': 'agent',
            'X-Forwarded-For': '192.0.2.1',
          },
        },
      ],
      'HEAD /',
      ['GET /', { headers: { 'If-None-Match': '*' } }],
      'GET /chunks',
      'GET /mounted/7?x=%20y',
      ['GET /private', { headers: { Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}` } }],
      'GET /private',
      'GET /fail',
      'GET /files/file.txt',
      'OPTIONS /mounted/7',
      'GET /missing',
    ]);
    for (let tries = 0; tries < 100 && lines.combined.length < seen.length; tries++)
      await new Promise(setImmediate);
    assert.equal(lines.tiny.length, seen.length);
    assert.match(
      lines.combined[0],
      /^192\.0\.2\.1 - - \[.*\] "GET \/\?id=1 HTTP\/[12]\.[01]" 200 5 "http:\/\/example\.test\/" "agent"\n$/,
    );
    assert.match(lines.combined[5], / - ada \[/);
    assert.equal(lines.mine[4], 'GET /mounted/7?x=%20y 200 10\n');
    assert.equal(lines.skipped.length, 3);
    note(
      typeof morgan.compile(':method'),
      morgan.compile(':method x')({ tiny: 1, method: () => 'M' }, {}, {}),
    );
    const timed = /\d+\.\d{3} ms|\d\d\/\w{3}\/\d{4}[^\]]*/g;
    return { seen, lines: JSON.parse(JSON.stringify(lines).replace(timed, '<time>')) };
  },
};
