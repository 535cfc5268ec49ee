/** Packages that pass rejected promises to the error handler. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
  programs: {
    /** express-async-errors: rejections of async handlers reach the error handler. */
    'express-async-errors': {
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
            ...['/plain', '/async', '/reject', '/throw', '/several', '/users/good', '/users/bad', '/text'],
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
    },

    /** express-promise-router: handlers return promises of 'next', 'route' or an error. */
    'express-promise-router': {
      packages: ['express-promise-router'],
      exercised:
        'use, route, param, all and every method with promises of "next", "route", nothing and errors; nested in itself ' +
        'and in plain routers, options (mergeParams, caseSensitive, strict), error handlers, names in the stack.',
      quick: true,
      override: true,

      async run({ listen, request }) {
        const express = require('express');
        const PromiseRouter = require('express-promise-router').default;
        const app = express();
        app.set('env', 'production');
        const router = PromiseRouter();
        router.use(async (req, res) => {
          res.set('X-First', 'yes');
          return 'next';
        });
        router.param('id', async (req, res, next, id) => {
          if (id === 'bad') throw Object.assign(new Error('bad id'), { status: 422 });
          req.loaded = `loaded ${id}`;
          return 'next';
        });
        router.get('/users/:id', async (req, res) => {
          res.json({ id: req.params.id, loaded: req.loaded });
        });
        router.get(
          '/next',
          async () => 'next',
          (req, res) => res.send('second'),
        );
        router.get(
          '/route',
          async () => 'route',
          (req, res) => res.send('never'),
        );
        router.get('/route', (req, res) => res.send('other route'));
        router.get('/reject', async () => {
          throw new Error('rejected');
        });
        router.get('/nothing', () => Promise.reject());
        router.get('/callback', (req, res, next) => setImmediate(next, new Error('by callback')));
        router
          .route('/chain')
          .get(async (req, res) => void res.send('chain'))
          .all(async (req, res) => void res.send('all'));
        router.all(['/a', '/b'], async (req, res) => void res.send(req.path));
        for (const method of ['post', 'put', 'patch', 'delete', 'options', 'head']) {
          router[method]('/method', async (req, res) => void res.send(method));
        }
        const inner = PromiseRouter({ mergeParams: true, caseSensitive: true, strict: true });
        inner.get('/Deep', async (req, res) => void res.json(req.params));
        router.use('/outer/:outer', inner);
        const plain = express.Router();
        plain.use(
          '/again',
          PromiseRouter().get('/', async (req, res) => void res.send('again')),
        );
        router.use('/plain', plain);
        router.use(async (error, req, res, next) => {
          if (error?.message === 'by callback') return 'next';
          if (!error) throw new Error('an empty rejection');
          throw error;
        });
        app.use('/api', router);
        app.use((error, req, res, next) => res.status(error.status ?? 500).send(`error: ${error.message}`));
        const server = await listen(app);
        const record = {};
        for (const path of [
          ...[
            ...['users/7', 'users/bad', 'next', 'route', 'reject', 'nothing', 'callback', 'chain', 'a', 'b'],
            'missing',
          ],
          ...['outer/o/Deep', 'outer/o/deep', 'outer/o/Deep/', 'plain/again', ''],
        ]) {
          record[path] = await request(server, { path: `/api/${path}` });
        }
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'GET']) {
          record[method] = await request(server, { method, path: '/api/method' });
        }
        assert.equal(record['users/7'].body, '{"id":"7","loaded":"loaded 7"}');
        assert.equal(record['users/bad'].status, 422);
        assert.equal(record.next.body, 'second');
        assert.equal(record.route.body, 'other route');
        assert.equal(record.reject.body, 'error: rejected');
        assert.equal(record['outer/o/Deep'].body, '{"outer":"o"}');
        const names = router.stack.map(layer => [
          layer.name,
          layer.route?.path,
          layer.route?.stack.map(({ name }) => name),
        ]);
        return { record, names };
      },
    },
  },
};
