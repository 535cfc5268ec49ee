/** pino-http: a logger for each request. */
'use strict';

const assert = require('node:assert/strict');
const { Writable } = require('node:stream');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['pino-http', 'pino'],
  exercised:
    'req.log and res.log, genReqId, serializers of req and res in routers, customLogLevel, customSuccessMessage, customErrorMessage, customReceivedMessage, customProps, customAttributeKeys, autoLogging.ignore, quietReqLogger, wrapSerializers, redact, errors from next and res.err, clients that disconnect',
  http2: true,
  knownOverHttp2: [{ places: /headers\.connection$/, reason: 'HTTP/2 has no Connection' }],

  async run({ listen, request }) {
    const express = require('express');
    const pinoHttp = require('pino-http');
    const lines = {};
    const into = name =>
      new Writable({
        write(chunk, encoding, callback) {
          (lines[name] ??= []).push(
            ...String(chunk)
              .trim()
              .split('\n')
              .map(line => JSON.parse(line)),
          );
          callback();
        },
      });
    let made = 0;
    const genReqId = (req, res) => {
      const id = req.get?.('X-Request-Id') ?? `id-${++made}`;
      res.setHeader('X-Request-Id', id);
      return id;
    };
    const app = express();
    app.use(
      pinoHttp(
        {
          genReqId,
          redact: ['req.headers.authorization'],
          autoLogging: { ignore: req => req.url === '/ignored' },
        },
        into('full'),
      ),
    );
    app.use(
      pinoHttp(
        {
          genReqId: req => req.id,
          quietReqLogger: true,
          customLogLevel: (req, res, err) =>
            err || res.statusCode >= 500 ? 'fatal' : res.statusCode >= 400 ? 'warn' : 'debug',
          level: 'debug',
          customReceivedMessage: req => `received ${req.method}`,
          customSuccessMessage: (req, res, time) =>
            `${req.originalUrl} done ${res.statusCode} ${typeof time}`,
          customErrorMessage: (req, res, err) => `${req.originalUrl} failed ${err.message}`,
          customProps: (req, res) => ({ route: req.route?.path, base: req.baseUrl, user: res.locals?.user }),
          customAttributeKeys: { req: 'request', res: 'response', err: 'error', responseTime: 'time_ms' },
          serializers: {
            req: req => ({ ...req, raw: typeof req.raw }),
            response: res => ({ status: res.statusCode, headers: Object.keys(res.headers) }),
          },
        },
        into('custom'),
      ),
    );
    app.use((req, res, next) => {
      res.locals.user = req.get('X-User');
      next();
    });
    app.get('/', (req, res) => {
      req.log.info({ own: true }, 'inside');
      res.log.warn('from res');
      res.send('hello');
    });
    const router = express.Router();
    router.get('/:id', (req, res) => res.status(Number(req.query.status ?? 200)).json(req.params));
    app.use('/users', router);
    app.get('/ignored', (req, res) => res.send('ignored'));
    app.get('/fail', (req, res, next) =>
      next(
        Object.assign(new Error('failed'), {
          status: 503,
          code: 'E_FAIL',
          stack: 'Error: failed\n    at one',
        }),
      ),
    );
    app.get('/err', (req, res) => {
      res.err = Object.assign(new Error('noted'), { stack: 'Error: noted' });
      res.status(400).send('noted');
    });
    const server = await listen(app);
    const seen = await visit(request, server, [
      ['GET /?a=1', { headers: { 'X-Request-Id': 'mine', Authorization: 'Bearer x', 'X-User': 'ada' } }],
      'GET /users/7?x=1',
      'GET /users/7?status=404',
      'GET /users/7?status=500',
      'GET /ignored',
      'GET /fail',
      'GET /err',
      'HEAD /users/7',
      'GET /missing',
    ]);
    for (let tries = 0; tries < 100 && (lines.full.length < 10 || lines.custom.length < 18); tries++)
      await new Promise(setImmediate);
    const done = lines.full.filter(line => line.msg.startsWith('request'));
    assert.equal(done.length, seen.length - 1);
    assert.ok(lines.custom.some(line => line.route === '/:id' && line.base === '/users'));
    assert.equal(done[0].req.id, 'mine');
    assert.equal(done[0].req.headers.authorization, '[Redacted]');
    assert.match(lines.custom.find(line => line.level === 60).msg, /failed/);
    const own = /"(time|pid|responseTime|time_ms|remotePort)":\d+/g;
    const text = JSON.stringify(lines)
      .replace(own, '"$1":0')
      .replace(/"hostname":"[^"]*"/g, '"hostname":""');
    return {
      seen,
      lines: JSON.parse(
        text.replace(/"x-powered-by":"\w+"/g, '"x-powered-by":""').replace(/"stack":"[^"]*"/g, '"stack":""'),
      ),
    };
  },
};
