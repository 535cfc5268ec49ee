/** express-winston: structured log lines for requests and errors. */
'use strict';

const assert = require('node:assert/strict');
const { Writable } = require('node:stream');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['express-winston', 'winston'],
  exercised:
    'logger with msg templates, dynamicMeta, requestWhitelist, responseWhitelist with bodies, bodyBlacklist, route filters on req, ignoreRoute, skip, statusLevels, level as function, metaField, expressFormat; errorLogger with its filters; responses by send, json, streams, files and errors',

  async run({ listen, request }) {
    const express = require('express');
    const expressWinston = require('express-winston');
    const winston = require('winston');
    const lines = {};
    const into = name => {
      const stream = new Writable({
        write(chunk, encoding, callback) {
          (lines[name] ??= []).push(JSON.parse(String(chunk)));
          callback();
        },
      });
      return winston.createLogger({
        level: 'debug',
        format: winston.format.json(),
        transports: [new winston.transports.Stream({ stream })],
      });
    };
    require('node:fs').writeFileSync('file.txt', 'file');
    const app = express();
    app.use(express.json());
    const requestWhitelist = [...expressWinston.requestWhitelist, 'body', 'params', 'route.path', 'baseUrl'];
    app.use(
      expressWinston.logger({
        winstonInstance: into('full'),
        requestWhitelist,
        responseWhitelist: ['statusCode', 'body', '_header'],
        bodyBlacklist: ['password'],
        statusLevels: true,
        ignoreRoute: req => req.path === '/ignored',
      }),
    );
    const level = (req, res) => (res.statusCode >= 400 ? 'warn' : 'debug');
    app.use(
      expressWinston.logger({
        winstonInstance: into('short'),
        meta: false,
        level,
        msg: '{{req.method}} {{req.url}} {{res.statusCode}} {{req.ip}}',
        skip: (req, res) => res.statusCode === 204,
      }),
    );
    app.use(
      expressWinston.logger({
        winstonInstance: into('format'),
        expressFormat: true,
        colorize: false,
        metaField: 'http',
        dynamicMeta: (req, res) => ({
          user: req.user,
          length: res.get('Content-Length'),
          status: res.statusCode,
        }),
      }),
    );
    app.use((req, res, next) => {
      req.user = req.get('X-User');
      next();
    });
    app.get('/', (req, res) => res.send('hello'));
    app.post('/json', (req, res) => {
      req._routeWhitelists.body = ['name'];
      req._routeWhitelists.res = ['locals'];
      res.locals.seen = true;
      res.status(201).json({ got: req.body });
    });
    app.post('/body', (req, res) => res.json(req.body));
    const router = express.Router();
    router.get('/:id', (req, res) => res.json(req.params));
    router.get('/:id/empty', (req, res) => res.sendStatus(204));
    app.use('/users', router);
    app.get('/stream', (req, res) => {
      res.write('one');
      res.end('two');
    });
    app.get('/ignored', (req, res) => res.send('ignored'));
    app.use('/files', express.static('.', { etag: false, lastModified: false }));
    app.get('/fail', () => {
      throw Object.assign(new Error('failed'), { status: 503, extra: 1, stack: 'Error: failed\n    at one' });
    });
    app.use(
      expressWinston.errorLogger({
        winstonInstance: into('errors'),
        requestWhitelist: ['method', 'url'],
        msg: '{{err.message}} at {{req.url}}',
        dynamicMeta: (req, res, err) => ({ extra: err.extra }),
        exceptionToMeta: err => ({ stack: err.stack.split('\n') }),
      }),
    );
    app.use((err, req, res, next) => {
      if (res.headersSent) return next(err);
      res.status(err.status ?? 500).json({ message: err.message });
    });
    const server = await listen(app);
    const seen = await visit(request, server, [
      ['GET /?a=1', { headers: { 'X-User': 'ada' } }],
      ['POST /json', { json: { name: 'Ada', password: 'secret' } }],
      ['POST /body', { json: { name: 'Ada', password: 'secret' } }],
      'GET /users/7?x=1',
      'GET /users/7/empty',
      'GET /stream',
      'GET /ignored',
      'GET /files/file.txt',
      'GET /fail',
      'GET /missing',
    ]);
    for (let tries = 0; tries < 100 && lines.format?.length < seen.length; tries++)
      await new Promise(setImmediate);
    assert.equal(lines.full.length, seen.length - 1);
    assert.equal(lines.format.length, seen.length);
    assert.equal(lines.full[1].meta.req.body.password, undefined);
    assert.deepEqual(
      lines.full.map(line => line.level),
      ['info', 'info', 'info', 'info', 'info', 'info', 'info', 'error', 'warn'],
    );
    assert.equal(lines.short[0].message, 'GET /?a=1 200 127.0.0.1');
    assert.equal(lines.errors[0].message, 'failed at /fail');
    const random = /"responseTime":\d+|\b\d+ms|Date: [^\\]*GMT|X-Powered-By: \w+\\+r\\+n/g;
    return {
      seen,
      lines: JSON.parse(
        JSON.stringify(lines).replace(random, match =>
          match.startsWith('"') ? '"responseTime":0' : '<random>',
        ),
      ),
    };
  },
};
