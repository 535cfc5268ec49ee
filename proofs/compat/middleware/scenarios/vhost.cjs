/** vhost: one application for each host name. */
'use strict';

const assert = require('node:assert/strict');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['vhost'],
  exercised:
    'names, wildcards, regular expressions, applications, routers and functions as its targets, req.vhost, ports and case in Host, nested, with mounted paths, errors that come back out',

  async run({ listen, request }) {
    const express = require('express');
    const vhost = require('vhost');
    const show = name => (req, res) => {
      const { host, hostname, length, ...rest } = req.vhost;
      res.json({
        name,
        host,
        hostname,
        length,
        rest,
        url: req.url,
        baseUrl: req.baseUrl,
        app: req.app.get('name'),
        own: req.hostname,
      });
    };
    const api = express();
    api.set('name', 'api');
    api.get('/fail', (req, res, next) => next(Object.assign(new Error('of api'), { status: 409 })));
    api.get('/skip', (req, res, next) => next());
    api.get(['/', '/:id'], show('api'));
    const users = express.Router();
    users.get('/', show('users'));
    users.use('/nested', vhost('ada.*.example.com', show('nested')));
    const app = express();
    app.set('name', 'main');
    app.use(vhost('api.example.com', api));
    app.use(vhost('*.users.example.com', users));
    app.use('/path', vhost(/^(\w+)-(\d+)\.example\.com$/i, show('pattern')));
    app.use(
      vhost('*.example.com', (req, res, next) =>
        req.vhost[0] === 'www' ? show('function')(req, res) : next(),
      ),
    );
    app.use((req, res) => res.status(404).json({ left: req.vhost, url: req.url }));
    app.use((err, req, res, next) => {
      if (res.headersSent) return next(err);
      res.status(err.status).json({ caught: err.message, app: req.app.get('name') });
    });
    const server = await listen(app);
    const at = (path, Host) => [`GET ${path}`, { headers: { Host } }];
    const seen = await visit(request, server, [
      at('/', 'api.example.com'),
      at('/7', 'API.Example.com:8080'),
      at('/fail', 'api.example.com'),
      at('/skip', 'api.example.com'),
      at('/', 'ada.users.example.com'),
      at('/nested/x', 'ada.users.example.com'),
      at('/nested/x', 'eve.users.example.com'),
      at('/path/x?y', 'web-42.example.com'),
      at('/path', 'WEB-42.example.com:80'),
      at('/', 'www.example.com'),
      at('/', 'other.example.com'),
      at('/', 'example.com'),
      at('/', '[::1]:80'),
      at('/', 'a.b.example.com'),
    ]);
    assert.deepEqual(
      seen.map(({ body }) => JSON.parse(body)).map(({ name, caught }) => name ?? caught),
      [
        'api',
        'api',
        'of api',
        'api',
        'users',
        'nested',
        undefined,
        'pattern',
        'pattern',
        'function',
        undefined,
        undefined,
        undefined,
        undefined,
      ],
    );
    return seen;
  },
};
