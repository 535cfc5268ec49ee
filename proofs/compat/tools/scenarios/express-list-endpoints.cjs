/** express-list-endpoints, which extracts paths from the regular expressions of layers. */
'use strict';

const assert = require('node:assert/strict');

const PATHS_OF_4 = ['/optional/:a?/:b(\\d+)', '/flights/:from-:to.:format?', '/star/*', '/with.dot/a+b'];
const PATHS_OF_5 = ['/optional{/:a}/:b', '/flights/:from-:to{.:format}', '/star/*rest', '/with.dot/a-b'];

/** Compares the endpoints that a version of express-list-endpoints finds. */
function list(listEndpoints) {
  const isOn4 = require('express/package.json').version.startsWith('4.');
  const express = require('express');
  const handler = (req, res) => res.send();
  function named(req, res, next) {
    next();
  }
  const app = express();
  app.use(express.json());
  app.get('/', handler);
  app.route('/users').get(named, handler).post(handler).all(named);
  app.get('/users/:id/books/:book', handler);
  for (const path of isOn4 ? PATHS_OF_4 : PATHS_OF_5) app.get(path, handler);
  app.get(['/array/one', '/array/two/:x'], handler);
  app.get(/^\/expression\/(\w+)$/, handler);
  app.all('/all', handler);
  const inner = express.Router({ mergeParams: true });
  inner.get('/', named, handler);
  inner.delete('/:item', handler);
  const outer = express.Router();
  outer.use('/:tenant/items', inner);
  outer.use(named);
  app.use('/api/:version', outer);
  const empty = express.Router();
  app.use('/empty', empty);
  const mounted = express();
  mounted.put('/inside', handler);
  app.use('/mounted', mounted);
  const strict = express.Router({ strict: true, caseSensitive: true });
  strict.get('/Strict/', handler);
  app.use(strict);
  const found = {
    app: listEndpoints(isOn4 ? app : app.router),
    router: listEndpoints(outer),
    none: listEndpoints(express()),
    unseen: listEndpoints(app),
  };
  const paths = found.app.map(({ path }) => path);
  for (const path of ['/', '/users', '/users/:id/books/:book']) {
    assert.ok(paths.includes(path), path);
  }
  assert.deepEqual(found.app.find(({ path }) => path === '/users').methods, ['GET', 'POST']);
  return found;
}

/** express-list-endpoints 6: extracts paths from the regular expressions of layers. */
const endpoints = {
  packages: ['express-list-endpoints6'],
  exercised:
    'The list of a nested application: parameters, optional ones, arrays, expressions, stars, strict routers, mounted ' +
    'applications, names of middleware, a router alone, an empty application.',
  quick: true,

  run({ packages: [name] }) {
    const loaded = require(name);
    return list(loaded.default ?? loaded);
  },
};

module.exports = {
  programs: {
    'express-list-endpoints-6': endpoints,

    'express-list-endpoints-7': { ...endpoints, packages: ['express-list-endpoints'] },
  },
};
