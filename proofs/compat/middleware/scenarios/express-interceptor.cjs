/** express-interceptor, whose `res.write` returns nothing. */
'use strict';

const { changeBodies } = require('../support/changed-bodies.cjs');

module.exports = {
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
};
