/** connect-timeout: requests that take too long. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['connect-timeout'],
  exercised:
    'a time in milliseconds and as a string, respond: false with its event, clearTimeout, req.timedout, the halt-on-timedout pattern, a response in time, a response that began before the time was over',
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const timeout = require('connect-timeout');
    const app = express();
    const later = (milliseconds, fn) => setTimeout(fn, milliseconds);
    const halt = (req, res, next) => {
      if (!req.timedout) next();
    };
    app.get('/fast', timeout('5s'), (req, res) => res.json({ timedout: req.timedout }));
    app.get('/slow', timeout(30), () => {});
    app.get('/text', timeout('30ms'), () => {});
    app.get(
      '/halted',
      timeout(30),
      (req, res, next) => later(90, next),
      halt,
      (req, res) => {
        note('never');
        res.send('never');
      },
    );
    app.get('/silent', timeout(30, { respond: false }), (req, res) => {
      req.on('timeout', (time, ...rest) => {
        note('timeout', time, rest.length, req.timedout);
        res.status(202).send('still here');
      });
    });
    app.get('/cleared', timeout(30), (req, res) => {
      req.clearTimeout();
      later(90, () => res.json({ timedout: req.timedout }));
    });
    app.get('/begun', timeout(40), (req, res) => {
      res.write('begun');
      later(120, () => res.end(' and ended'));
    });
    const router = express.Router();
    router.use(timeout(30));
    router.get('/slow', () => {});
    router.use((err, req, res, next) => {
      note('router', err.message);
      next(err);
    });
    app.use('/router', router);
    app.use((err, req, res, next) => {
      const { code, status, statusCode, timeout: time, message, name } = err;
      note('error', { code, status, statusCode, time, message, name, timedout: req.timedout });
      if (res.headersSent || req.path === '/text') return next(err);
      res.status(err.status).json({ message });
    });
    const server = await listen(app);
    const paths = ['fast', 'slow', 'text', 'halted', 'silent', 'cleared', 'router/slow'];
    const seen = await visit(
      request,
      server,
      paths.map(each => `GET /${each}`),
    );
    assert.deepEqual(statuses(seen), [200, 503, 503, 503, 202, 200, 503]);
    const begun = await request(server, { path: '/begun' }).then(
      ({ status, body }) => ({ status, body }),
      () => 'connection closed',
    );
    return { seen, begun };
  },
};
