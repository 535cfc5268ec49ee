/** Packages that change bodies. Their `res.write` returns nothing. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { visit } = require('../support/visit.cjs');

/** Writes the files that the routes send: one is sent in one chunk, the other is streamed. */
function files() {
  fs.writeFileSync('small.html', '<p>small</p>\n');
  fs.writeFileSync('large.html', '<p>large</p>\n'.repeat(20_000));
  fs.writeFileSync('large.txt', 'large\n'.repeat(20_000));
  for (const name of fs.readdirSync('.')) fs.utimesSync(name, 1e9, 1e9);
}

/** Registers the routes after the middleware. */
function routes(app, express) {
  app.get('/html', (req, res) => res.send('<p>sent</p>'));
  app.get('/empty', (req, res) => res.type('html').end());
  app.get('/end', (req, res) => res.type('html').end('<p>ended</p>'));
  app.get('/json', (req, res) => res.json({ json: true }));
  app.get('/bytes', (req, res) => res.type('html').send(Buffer.from('<p>bytes</p>')));
  app.get('/pieces', (req, res) => {
    res.type('html').write('<p>one');
    res.write(Buffer.from('two'));
    res.end('three</p>');
  });
  app.get('/large', (req, res) => res.send('<p>large</p>\n'.repeat(20_000)));
  app.get('/piped/:name', (req, res) => fs.createReadStream(req.params.name).pipe(res.type(req.params.name)));
  app.get('/file/:name', (req, res) => res.sendFile(path.resolve(req.params.name)));
  app.get('/throws', () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  });
  app.use('/static', express.static('.'));
}

const requests = [
  ...['GET /html', 'HEAD /html', 'GET /empty', 'GET /end', 'GET /json', 'GET /bytes', 'GET /pieces'],
  ...['GET /large', 'GET /piped/large.html', 'GET /piped/large.txt', 'GET /file/small.html'],
  ...['GET /static/small.html', 'GET /throws', 'GET /none'],
];

/** Routes that could wait for a drain event that never comes if a wrapper of `res.write` returns nothing. */
const streamed = [
  'GET /file/large.html',
  'GET /file/large.txt',
  'GET /static/large.html',
  'GET /static/large.txt',
  ['GET /static/large.html', { headers: { Range: 'bytes=3-100000' } }],
];

/** Requests all of them; responses that do not arrive within 3 seconds are noted. */
async function tour(request, server) {
  const patient = (target, wanted) => request(target, { ...wanted, timeout: 3 });
  const seen = await visit(patient, server, requests);
  for (const each of streamed) {
    const answer = await visit(patient, server, [each]).catch(error => error.message);
    seen.push(answer);
  }
  return JSON.parse(JSON.stringify(seen), (key, value) =>
    typeof value === 'string' && value.length > 2000 ? `${value.slice(0, 40)} ... ${value.length}` : value,
  );
}

/** Runs the scenario with middleware that appends `, changed` to paragraphs. */
async function changeBodies({ listen, request }, middleware) {
  files();
  const express = require('express');
  const app = express().set('env', 'production').use(middleware);
  routes(app, express);
  const seen = await tour(request, await listen(app));
  assert.equal(seen[0].body, '<p>sent, changed</p>');
  return seen;
}

module.exports = {
  programs: {
    /** express-interceptor, whose `res.write` returns nothing. */
    'express-interceptor': {
      packages: ['express-interceptor'],
      exercised:
        'HTML changed and everything else left alone: send, end, pieces, streams, sendFile and express.static with small and large files, ranges, errors; isInterceptable, intercept, afterSend',

      run(tools) {
        const interceptor = require('express-interceptor');
        return changeBodies(
          tools,
          interceptor((req, res) => ({
            isInterceptable: () => /text\/html/.test(res.get('Content-Type')) && !req.get('range'),
            intercept: (body, send) => send(body.replace('</p>', `, changed</p>`)),
            afterSend: (before, after) => tools.note(req.url, before.length, after.length),
          })),
        );
      },
    },

    /** express-modify-response, whose `res.write` returns nothing. */
    'express-modify-response': {
      packages: ['express-modify-response'],
      exercised:
        'HTML changed and everything else left alone: send, end, pieces, streams, sendFile and express.static with small and large files, ranges, errors; a callback that returns a promise',

      run(tools) {
        const modify = require('express-modify-response');
        return changeBodies(
          tools,
          modify(
            (req, res) => /text\/html/.test(res.get('Content-Type')) && !req.get('range'),
            async (req, res, body) => {
              tools.note(req.url, body.length);
              return body.toString().replace('</p>', ', changed</p>');
            },
          ),
        );
      },
    },
  },
};
