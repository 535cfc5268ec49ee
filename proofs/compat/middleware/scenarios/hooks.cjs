/**
 * Middleware that patches the response, before and after hooks of `res.onSend`. Express 4 has no hooks; there, a
 * function that is called when the header block is created does the same.
 */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const zlib = require('node:zlib');

/** Returns middleware that adds a hook, which sets a header synchronously or later. */
const hook = isLater => (req, res, next) => {
  const set = () => void res.set('X-Hook', 'yes');
  if (res.onSend !== undefined) {
    res.onSend(isLater ? () => new Promise(resolve => setTimeout(resolve, 5)).then(set) : set);
  } else {
    const { writeHead } = res;
    res.writeHead = function (...args) {
      if (!res.headersSent) set();
      return writeHead.apply(res, args);
    };
  }
  next();
};

module.exports = {
  packages: ['compression', 'express-session', 'helmet', 'morgan', 'response-time', 'serve-static'],
  exercised:
    'each before and after a hook of res.onSend that sets a header, at once and later: text, JSON, redirects, errors, 404, files, pieces, streams, HEAD, 304, a session that counts',
  http2: true,
  knownWithAliases: [
    {
      places: /\.fields\b/,
      reason: 'a body that is compressed as a whole has a Content-Length, and is not sent in chunks',
    },
  ],
  quick: [],

  async run({ listen, request, note }) {
    const express = require('express');
    const compression = require('compression');
    const session = require('express-session');
    const helmet = require('helmet');
    const morgan = require('morgan');
    const responseTime = require('response-time');
    const serveStatic = require('serve-static');
    fs.writeFileSync('page.html', '<p>line</p>\n'.repeat(10_000));

    const patching = [
      helmet(),
      morgan((tokens, req, res) =>
        note(tokens.method(req, res), tokens.url(req, res), tokens.status(req, res)),
      ),
      responseTime(),
      session({ secret: 'secret', resave: false, saveUninitialized: true }),
      compression({ threshold: 100 }),
    ];
    const routes = express.Router();
    routes.use((req, res, next) => {
      req.session.count = (req.session.count ?? 0) + 1;
      next();
    });
    routes.get('/send', (req, res) => res.send(`${req.session.count} `.repeat(100)));
    routes.get('/json', (req, res) => res.json({ count: req.session.count }));
    routes.get('/away', (req, res) => res.redirect('/elsewhere'));
    routes.get('/end', (req, res) => res.end(`count ${req.session.count}`));
    routes.get('/head', (req, res) =>
      res.writeHead(201, { 'Content-Type': 'text/plain' }).end('x'.repeat(200)),
    );
    routes.get('/pieces', (req, res) => {
      res.type('text').write('a'.repeat(200));
      res.end('b');
    });
    routes.get('/piped', (req, res) => fs.createReadStream('page.html').pipe(res.type('html')));
    routes.get('/file', (req, res) => res.sendFile(fs.realpathSync('page.html'), { lastModified: false }));
    routes.get('/fail', (req, res, next) => next({ status: 418, stack: 'x'.repeat(200) }));
    routes.use('/files', serveStatic('.', { lastModified: false }));

    const seen = {};
    for (const [name, handlers] of Object.entries({
      before: [...patching, hook(false)],
      after: [hook(false), ...patching],
      'before, later': [...patching, hook(true)],
      'after, later': [hook(true), ...patching],
    })) {
      const app = express();
      app.use(...handlers, routes);
      const server = await listen(app);
      let cookie;
      const get = async (path, method = 'GET', headers = {}) => {
        const answer = await request(server, {
          method,
          path,
          headers: { 'Accept-Encoding': 'gzip', ...(cookie && { Cookie: cookie }), ...headers },
          encoding: 'base64',
        });
        cookie ??= [answer.headers['set-cookie']].flat()[0]?.split(';')[0];
        const bytes = Buffer.from(answer.body, 'base64');
        const isGzip = answer.headers['content-encoding'] === 'gzip' && bytes.length > 0;
        const body = String(isGzip ? zlib.gunzipSync(bytes) : bytes);
        assert.equal(answer.headers['x-hook'], 'yes', `${name}: ${path}`);
        assert.match(answer.headers['x-response-time'], /^\d/);
        const fields = Object.keys(answer.headers)
          .sort()
          .filter(field => !/^(date|etag)$/.test(field));
        seen[`${name}: ${method} ${path} ${Object.keys(headers)}`] = { status: answer.status, fields, body };
        return answer;
      };
      for (const path of [
        ...['/send', '/json', '/away', '/end', '/head', '/pieces', '/piped', '/file', '/fail', '/none'],
      ])
        await get(path);
      await get('/files/page.html');
      await get('/json', 'HEAD');
      await get('/files/page.html', 'HEAD');
      const { headers } = await get('/file');
      await get('/file', 'GET', { 'If-None-Match': headers.etag });
      assert.equal(seen[`${name}: GET /json `].body, '{"count":2}');
    }
    return seen;
  },
};
