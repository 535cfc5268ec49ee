/** errorhandler: error pages for developers. */
'use strict';

const assert = require('node:assert/strict');
const { statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['errorhandler'],
  exercised:
    'HTML, JSON and text by Accept, status from err.status, err.statusCode and res.statusCode, thrown values that are not errors, a log function, log: false, the title, headers that were already sent',
  http2: true,

  async run({ listen, request, note }) {
    const express = require('express');
    const errorhandler = require('errorhandler');
    const app = express();
    const fail = {
      plain: () => new Error('plain <b>'),
      status: () => Object.assign(new Error('teapot'), { status: 418, extra: { a: 1 } }),
      code: () => Object.assign(new TypeError('code'), { statusCode: 422 }),
      low: () => Object.assign(new Error('low'), { status: 200 }),
      text: () => 'just text',
      object: () => ({ message: 'an object', stack: 'line 1\n  line 2' }),
      nested: () => new Error('outer', { cause: new Error('inner') }),
    };
    app.get('/fail/:kind', (req, res, next) => {
      const error = fail[req.params.kind]();
      // Stack frames differ between the frameworks.
      if (error instanceof Error)
        error.stack = `${error.name}: ${error.message}\n    at one (file.js:1:2)\n    at two`;
      next(error);
    });
    app.get('/status', (req, res) => {
      res.status(409);
      throw Object.assign(new Error('conflict'), { stack: 'Error: conflict' });
    });
    app.get('/begun', (req, res, next) => {
      res.write('begun');
      setImmediate(next, new Error('too late'));
    });
    app.use('/fail/object', errorhandler({ log: false }));
    let loggedLast;
    const last = new Promise(resolve => (loggedLast = resolve));
    app.use(
      errorhandler({
        log: (err, text, req, res) => {
          note(String(err).split('\n')[0], text.split('\n')[0], req.url, res.statusCode);
          if (req.url === '/begun') loggedLast();
        },
      }),
    );
    errorhandler.title = 'My application';
    const server = await listen(app);
    const accepts = { html: 'text/html', json: 'application/json', text: 'text/plain', all: '*/*' };
    const seen = [];
    for (const [name, Accept] of Object.entries(accepts)) {
      const paths = [...Object.keys(fail).map(kind => `/fail/${kind}`), '/status'];
      const answers = await visit(
        request,
        server,
        paths.map(each => [`GET ${each}`, { headers: { Accept } }]),
      );
      assert.deepEqual(statuses(answers), [500, 418, 422, 500, 500, 500, 500, 409]);
      seen.push({ name, answers });
    }
    assert.match(seen[0].answers[0].body, /<h1>My application<\/h1>/);
    assert.equal(JSON.parse(seen[1].answers[1].body).error.extra.a, 1);
    const begun = await request(server, { path: '/begun' }).then(
      ({ body }) => body,
      () => 'connection closed',
    );
    // The error is logged after the connection has closed.
    await last;
    return { seen, begun };
  },
};
