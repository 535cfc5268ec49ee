/** express-modify-response, whose `res.write` returns nothing. */
'use strict';

const assert = require('node:assert/strict');
const { files, routes, tour } = require('../support/changed-bodies.cjs');

module.exports = {
  packages: ['express-modify-response'],
  exercised:
    'HTML changed and everything else left alone: send, end, pieces, streams, sendFile and express.static with small and large files, ranges, errors; a callback that returns a promise',
  quick: true,
  express: [4, 5],

  async run({ listen, request, note }) {
    files();
    const express = require('express');
    const modify = require('express-modify-response');
    const app = express().set('env', 'production');
    app.use(
      modify(
        (req, res) => /text\/html/.test(res.get('Content-Type')) && !req.get('range'),
        async (req, res, body) => {
          note(req.url, body.length);
          return body.toString().replace('</p>', ', changed</p>');
        },
      ),
    );
    routes(app, express);
    const seen = await tour(request, await listen(app));
    assert.equal(seen[0].body, '<p>sent, changed</p>');
    return seen;
  },
};
