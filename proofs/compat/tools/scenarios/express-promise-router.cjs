/** express-promise-router: handlers return promises of 'next', 'route' or an error. */
'use strict';

const assert = require('node:assert/strict');

module.exports = {
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
        'users/7',
        'users/bad',
        'next',
        'route',
        'reject',
        'nothing',
        'callback',
        'chain',
        'a',
        'b',
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
};
