/**
 * Bare `node:http`, or the compatibility API of `node:http2`: sets a content type and ends with the body, nothing else;
 * implements by hand what the scenario requires.
 */
const http = require('node:http');
const http2 = require('node:http2');
const fs = require('node:fs');
const path = require('node:path');
const querystring = require('node:querystring');

module.exports = function build(scenario, { folder, text, viewLocals }) {
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
    'file 304': (req, res) => {
      fs.stat(path.join(folder, req.url), () => {
        res.statusCode = 304;
        res.end();
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
  const handler = handlers[scenario] ?? ((req, res) => sendJson(res, { hello: 'world' }));
  return (scenario.startsWith('HTTP/2') ? http2 : http).createServer(handler).listen(0);
};
