/** express-interceptor, whose `res.write` returns nothing. */
'use strict';

const assert = require('node:assert/strict');
const { files, routes, tour } = require('../support/changed-bodies.cjs');

module.exports = {
  packages: ['express-interceptor'],
  exercised:
    'HTML changed and everything else left alone: send, end, pieces, streams, sendFile and express.static with small and large files, ranges, errors; isInterceptable, intercept, afterSend',
  quick: true,
  express: [4, 5],

  async run({ listen, request, note }) {
    files();
    const express = require('express');
    const interceptor = require('express-interceptor');
    const app = express().set('env', 'production');
    app.use(
      interceptor((req, res) => ({
        isInterceptable: () => /text\/html/.test(res.get('Content-Type')) && !req.get('range'),
        intercept: (body, send) => send(body.replace('</p>', `, changed</p>`)),
        afterSend: (before, after) => note(req.url, before.length, after.length),
      })),
    );
    routes(app, express);
    const seen = await tour(request, await listen(app));
    assert.equal(seen[0].body, '<p>sent, changed</p>');
    return seen;
  },
};
