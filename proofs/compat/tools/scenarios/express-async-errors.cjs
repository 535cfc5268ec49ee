/** express-async-errors: rejections of async handlers reach the error handler. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  packages: ['express-async-errors'],
  exercised:
    'Rejections of routes, middleware, error handlers, param callbacks, nested and mounted applications; rejections ' +
    'after next() and after the response; handlers of four parameters; layers and parameters registered before and after it is loaded; ' +
    'synchronous errors; `layer.handle` as tools read it.',
  quick: true,
  override: true,
  express: [4],

  async run({ listen, request, note }) {
    const express = require('express');
    const early = express.Router();
    early.get('/before', async () => {
      await null;
      throw new Error('registered before');
    });
    const layer = early.stack[0];
    require('express-async-errors');
    const app = express();
    app.set('env', 'production');
    app.use(express.json());
    app.param('id', async (req, res, next, id) => {
      await null;
      if (id === 'bad') throw new Error('param');
      next();
    });
    app.get('/plain', (req, res) => res.send('plain'));
    app.get('/async', async (req, res) => {
      await null;
      res.send('async');
    });
    app.get('/reject', async () => {
      await null;
      throw Object.assign(new Error('rejected'), { status: 409 });
    });
    app.get('/throw', () => {
      throw new Error('thrown');
    });
    app.get(
      '/several',
      async (req, res, next) => next(),
      [async (req, res, next) => next()],
      async () => {
        throw new Error('third');
      },
    );
    app.get('/users/:id', (req, res) => res.send(req.params.id));
    app.get('/after-next', async (req, res, next) => {
      next();
      await null;
      throw new Error('after next');
    });
    app.get('/after-next', (req, res) => setImmediate(() => res.headersSent || res.send('next')));
    app.get('/text', async () => {
      throw 'a text';
    });
    app.use('/middleware', async () => {
      throw new Error('in middleware');
    });
    const nested = express.Router();
    nested.use(async (req, res, next) => next());
    nested.get('/reject', async () => {
      throw new Error('nested');
    });
    app.use('/nested', nested);
    const mounted = express();
    mounted.get('/reject', async () => {
      throw new Error('mounted');
    });
    app.use('/mounted', mounted);
    app.get('/handled/twice', async () => {
      throw new Error('first');
    });
    app.use('/handled', async (error, req, res, next) => {
      await null;
      throw new Error(`${error.message}, then second`);
    });
    app.use((error, req, res, next) => {
      note(req.url, String(error.message ?? error));
      if (res.headersSent) return next(error);
      res.status(error.status ?? 500).send(`error: ${error.message ?? error}`);
    });
    const server = await listen(app);
    const record = {};
    for (const path of [
      ...[
        '/plain',
        '/async',
        '/reject',
        '/throw',
        '/several',
        '/users/good',
        '/users/bad',
        '/text',
        '/middleware/x',
      ],
      ...['/after-next', '/nested/reject', '/mounted/reject', '/handled/twice', '/missing'],
    ]) {
      record[path] = await request(server, { path });
    }
    for (const [path, body] of [
      ['/reject', 'error: rejected'],
      ['/several', 'error: third'],
      ['/users/bad', 'error: param'],
      ['/nested/reject', 'error: nested'],
      ['/handled/twice', 'error: first, then second'],
    ]) {
      assert.equal(record[path].body, body, path);
    }
    const [, , last] = app._router.stack;
    const shown = [
      typeof last.handle,
      last.handle.length,
      last.handle.name,
      Object.keys(last).includes('handle'),
    ];
    return { record, shown, before: [typeof layer.handle, layer.handle.length] };
  },
};
