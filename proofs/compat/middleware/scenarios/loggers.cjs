/** Loggers of requests. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const { Writable } = require('node:stream');
const { visit } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** express-winston: structured log lines for requests and errors. */
    'express-winston': {
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
        const requestWhitelist = [
          ...expressWinston.requestWhitelist,
          'body',
          'params',
          'route.path',
          'baseUrl',
        ];
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
          throw Object.assign(new Error('failed'), {
            status: 503,
            extra: 1,
            stack: 'Error: failed\n    at one',
          });
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
    },

    /** morgan: logs a line for each request. */
    morgan: {
      packages: ['morgan', 'express-basic-auth'],
      exercised:
        'every named format, tokens (url in mounted routers, req, res, remote-user, custom tokens, with arguments), compile, format, immediate, skip, a custom stream, chunked responses, files, 304, HEAD, errors, 404, clients that disconnect',
      override: true,
      http2: true,
      knownOverHttp2: [{ places: /^\.seen\.lines/, reason: 'the version of HTTP is in the lines' }],

      async run({ listen, request, note }) {
        const express = require('express');
        const morgan = require('morgan');
        const basicAuth = require('express-basic-auth');
        const lines = {};
        const into = name => ({
          stream: new Writable({
            write(chunk, encoding, callback) {
              (lines[name] ??= []).push(String(chunk));
              callback();
            },
          }),
        });
        morgan.token('route', (req, res) => `${req.baseUrl}|${req.route?.path}|${res.locals.user}`);
        morgan.token('param', (req, res, name) => req.params?.[name] ?? req.query[name]);
        morgan.format(
          'mine',
          (tokens, req, res) =>
            `${tokens.method(req, res)} ${tokens.url(req, res)} ${tokens.status(req, res)} ${tokens.res(req, res, 'content-length')}`,
        );
        const app = express();
        app.set('trust proxy', true);
        for (const name of ['combined', 'common', 'short', 'tiny', 'dev', 'mine'])
          app.use(morgan(name, into(name)));
        app.use(
          morgan(
            ':remote-addr :route :param[id] :req[x-a] :res[etag] :res[x-list] :http-version :referrer :user-agent',
            into('tokens'),
          ),
        );
        app.use(morgan('tiny', { ...into('immediate'), immediate: true }));
        app.use(morgan('mine', { ...into('skipped'), skip: (req, res) => res.statusCode < 400 }));
        app.use((req, res, next) => {
          res.locals.user = 'ada';
          next();
        });
        app.get('/', (req, res) => res.set('X-List', ['a', 'b']).send('hello'));
        app.get('/chunks', (req, res) => {
          res.write('one');
          res.end('two');
        });
        const router = express.Router();
        router.get('/:id', (req, res) => res.json(req.params));
        app.use('/mounted', router);
        app.use('/private', basicAuth({ users: { ada: 'x' } }), (req, res) => res.redirect('/'));
        app.get('/fail', (req, res, next) =>
          next(Object.assign(new Error('failed'), { status: 503, stack: 'Error: failed' })),
        );
        fs.writeFileSync('file.txt', 'file');
        app.use('/files', express.static('.', { etag: false, lastModified: false }));
        const server = await listen(app);
        const seen = await visit(request, server, [
          [
            'GET /?id=1',
            {
              headers: {
                'X-A': 'x "quoted"',
                Referer: 'http://example.test/',
                'User-Agent': 'agent',
                'X-Forwarded-For': '192.0.2.1',
              },
            },
          ],
          'HEAD /',
          ['GET /', { headers: { 'If-None-Match': '*' } }],
          'GET /chunks',
          'GET /mounted/7?x=%20y',
          [
            'GET /private',
            { headers: { Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}` } },
          ],
          'GET /private',
          'GET /fail',
          'GET /files/file.txt',
          'OPTIONS /mounted/7',
          'GET /missing',
        ]);
        for (let tries = 0; tries < 100 && lines.combined.length < seen.length; tries++)
          await new Promise(setImmediate);
        assert.equal(lines.tiny.length, seen.length);
        assert.match(
          lines.combined[0],
          /^192\.0\.2\.1 - - \[.*\] "GET \/\?id=1 HTTP\/[12]\.[01]" 200 5 "http:\/\/example\.test\/" "agent"\n$/,
        );
        assert.match(lines.combined[5], / - ada \[/);
        assert.equal(lines.mine[4], 'GET /mounted/7?x=%20y 200 10\n');
        assert.equal(lines.skipped.length, 3);
        note(
          typeof morgan.compile(':method'),
          morgan.compile(':method x')({ tiny: 1, method: () => 'M' }, {}, {}),
        );
        const timed = /\d+\.\d{3} ms|\d\d\/\w{3}\/\d{4}[^\]]*/g;
        return { seen, lines: JSON.parse(JSON.stringify(lines).replace(timed, '<time>')) };
      },
    },

    /** pino-http: a logger for each request. */
    'pino-http': {
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
              customProps: (req, res) => ({
                route: req.route?.path,
                base: req.baseUrl,
                user: res.locals?.user,
              }),
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
            text
              .replace(/"x-powered-by":"\w+"/g, '"x-powered-by":""')
              .replace(/"stack":"[^"]*"/g, '"stack":""'),
          ),
        };
      },
    },
  },
};
