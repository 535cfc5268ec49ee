/**
 * Bare `node:http`, or the compatibility API of `node:http2`: sets a content type and ends with the body, nothing else;
 * implements by hand what the scenario requires.
 */
const http = require('node:http');
const http2 = require('node:http2');
const fs = require('node:fs');
const path = require('node:path');
const { setImmediate } = require('node:timers/promises');
const querystring = require('node:querystring');

const zlib = require('node:zlib');

/** The headers that the usual middleware sets. */
const USUAL = {
  'Content-Security-Policy':
    "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
  'Access-Control-Allow-Origin': '*',
  ETag: 'W/"11-IkjuL6CqqtmReFMfkkvwC0sKj9g"',
  Vary: 'Accept-Encoding',
};

module.exports = function build(
  scenario,
  { folder, text, viewLocals, page, users },
  hasUsualHeaders = false,
) {
  const sendJson = (res, value) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.end(JSON.stringify(value));
  };
  const read = (req, use) => {
    const chunks = [];
    req.on('data', chunk => chunks.push(chunk));
    req.on('end', () => use(Buffer.concat(chunks)));
  };
  const handlers = {
    text: (req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      res.end(text);
    },
    'POST 1 KiB JSON': (req, res) =>
      read(req, body => {
        const value = JSON.parse(body.toString());
        sendJson(res, { users: (value.users ?? value).length });
      }),
    'POST 100 KiB urlencoded': (req, res) =>
      read(req, body => sendJson(res, { fields: Object.keys(querystring.parse(body.toString())).length })),
    'POST 10 MiB raw': (req, res) => read(req, body => sendJson(res, { bytes: body.length })),
    'file 10 KiB': (req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      fs.createReadStream(path.join(folder, req.url)).pipe(res);
    },
    // With the fields that a 304 must have (RFC 9110, section 15.4.5).
    'file 304': (req, res) => {
      const file = path.join(folder, req.url);
      fs.stat(file, (error, { size, mtime }) => {
        const tag = `W/"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
        res.setHeader('Cache-Control', 'public, max-age=0');
        res.setHeader('Last-Modified', mtime.toUTCString());
        res.setHeader('ETag', tag);
        if (req.headers['if-none-match'] === tag) {
          res.statusCode = 304;
          res.end();
        } else {
          fs.createReadStream(file).pipe(res);
        }
      });
    },
    'range of 100 MiB': (req, res) => {
      const [, start, end] = /bytes=(\d+)-(\d+)/.exec(req.headers.range);
      res.statusCode = 206;
      res.setHeader('Content-Length', end - start + 1);
      fs.createReadStream(path.join(folder, req.url), { start: +start, end: +end }).pipe(res);
    },
  };
  handlers['HTTP/2 file 10 KiB'] = handlers['file 10 KiB'];
  if (scenario === 'POST 1 KiB JSON, zod') {
    const schema = require('../schema.cjs');
    handlers[scenario] = (req, res) =>
      read(req, body => sendJson(res, { users: schema.parse(JSON.parse(body.toString())).users.length }));
  }
  if (scenario === 'JSON 1 KiB, response schema') {
    const shown = ({ id, name, email, active }) => ({ id, name, email, active });
    handlers[scenario] = (req, res) => sendJson(res, { users: users.users.map(shown) });
  }
  if (scenario === 'JSON 1 KiB, response schema, zod') {
    const schema = require('../schema.cjs');
    handlers[scenario] = (req, res) => sendJson(res, schema.parse(users));
  }
  handlers['POST 1 MiB JSON'] = handlers['POST 1 KiB JSON'];
  if (/routes$/.test(scenario)) {
    handlers[scenario] = (req, res) => sendJson(res, { id: req.url.slice(req.url.lastIndexOf('/') + 1) });
  }
  if (scenario === 'nested query') handlers[scenario] = (req, res) => sendJson(res, { name: 'ada' });
  if (scenario === 'ejs view') {
    const render = require('ejs').compile(fs.readFileSync(path.join(folder, 'items.ejs'), 'utf8'));
    handlers[scenario] = (req, res) => {
      res.setHeader('Content-Type', 'text/html; charset=utf-8');
      res.end(render(viewLocals));
    };
  }
  if (hasUsualHeaders) {
    handlers[scenario] = (req, res) => {
      for (const name in USUAL) res.setHeader(name, USUAL[name]);
      sendJson(res, { hello: 'world' });
    };
  }
  handlers['JSON 10 KiB, compressed'] = (req, res) => {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Encoding', 'gzip');
    res.setHeader('Vary', 'Accept-Encoding');
    res.end(zlib.gzipSync(JSON.stringify(page)));
  };
  if (scenario.startsWith('session')) {
    handlers[scenario] = (req, res) => {
      res.setHeader('Set-Cookie', 'none=1');
      sendJson(res, { user: 'ada' });
    };
  }
  handlers['json hello, awaited'] = async (req, res) => {
    await setImmediate();
    sendJson(res, { hello: 'world' });
  };
  handlers['form with 1 MiB file'] = (req, res) => read(req, () => sendJson(res, { bytes: 1024 * 1024 }));
  const handler = handlers[scenario] ?? ((req, res) => sendJson(res, { hello: 'world' }));
  return (scenario.startsWith('HTTP/2') ? http2 : http).createServer(handler).listen(0);
};
