/** method-override: other methods for clients that can only send GET and POST. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['method-override'],
  exercised:
    'by header, several of them, by query parameter, by a function of the body, the methods option, unknown methods, req.originalMethod, Vary, before routers and OPTIONS',
  warnings: { RISTRETTO_NO_ROUTE: 'COPY has no route' },
  http2: true,

  async run({ listen, request }) {
    const express = require('express');
    const methodOverride = require('method-override');
    const app = express();
    app.use('/header', methodOverride(), methodOverride('X-Method'));
    app.use('/query', methodOverride('_method', { methods: ['POST', 'GET'] }));
    const fromBody = (req, res) => {
      if (typeof req.body?._method !== 'string') return undefined;
      const method = req.body._method;
      delete req.body._method;
      res.set('X-Overridden', method);
      return method;
    };
    app.use('/body', express.urlencoded({ extended: false }), methodOverride(fromBody));
    app.use('/any', methodOverride('X-Method', { methods: null }));
    const router = express.Router();
    const route = router.route(['/', '/:id']);
    for (const method of ['get', 'post', 'put', 'patch', 'delete', 'propfind']) {
      route[method]((req, res) =>
        res.json({ route: method, was: req.originalMethod, now: req.method, body: req.body }),
      );
    }
    for (const path of ['/header', '/query', '/body', '/any']) app.use(path, router);
    const server = await listen(app);
    const header = (value, name = 'X-HTTP-Method-Override') => ({ headers: { [name]: value } });
    const seen = await visit(request, server, [
      ['POST /header/1', header('PUT')],
      ['POST /header/1', header('delete')],
      ['POST /header/1', header('PATCH', 'X-Method')],
      ['POST /header/1', header('NONSENSE')],
      ['POST /header/1', header('PUT, DELETE')],
      ['GET /header/1', header('DELETE')],
      ['POST /header/1', header('OPTIONS')],
      ['POST /header/1', header('COPY')],
      'POST /header/1',
      'POST /query/1?_method=PUT',
      'GET /query?_method=DELETE',
      'POST /query?_method=PUT&_method=DELETE',
      'POST /query?_method[x]=PUT',
      ['POST /body', { form: { _method: 'PATCH', a: '1' } }],
      ['POST /body', { form: { a: '1' } }],
      ['PUT /any', header('PROPFIND', 'X-Method')],
      ['HEAD /any', header('GET', 'X-Method')],
      ['OPTIONS /any', header('DELETE', 'X-Method')],
    ]);
    assert.deepEqual(JSON.parse(seen[0].body), { route: 'put', was: 'POST', now: 'PUT' });
    assert.equal(field(seen[0], 'vary'), 'X-HTTP-Method-Override, X-Method');
    assert.equal(JSON.parse(seen[9].body).now, 'PUT');
    assert.deepEqual(JSON.parse(seen[13].body), {
      route: 'patch',
      was: 'POST',
      now: 'PATCH',
      body: { a: '1' },
    });
    assert.equal(statuses(seen)[7], 404);
    return seen;
  },
};
