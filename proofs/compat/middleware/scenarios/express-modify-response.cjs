/** express-modify-response, whose `res.write` returns nothing. */
'use strict';

const { changeBodies } = require('../support/changed-bodies.cjs');

module.exports = {
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
};
