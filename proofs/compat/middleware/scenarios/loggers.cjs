/** Loggers of requests, each with several formats before the same routes. */
'use strict';

const assert = require('node:assert/strict');
const { Writable } = require('node:stream');
const { write } = require('../../frameworks/support/program.cjs');
const { visit } = require('../support/visit.cjs');

const failed = Object.assign(new Error('failed'), { status: 503, code: 'E_FAIL', stack: 'Error: failed' });

/** Adds the routes whose responses are logged. */
function routes(app, express) {
  app.use((req, res, next) => {
    res.locals.user = req.user = req.get('X-User');
    next();
  });
  app.get('/', (req, res) => {
    req.log?.info({ own: true }, 'inside');
    res.log?.warn('from res');
    res.set('X-List', ['a', 'b']).send('hello');
  });
  app.get('/chunks', (req, res) => {
    res.write('one');
    res.end('two');
  });
  app.post('/body', (req, res) => res.status(201).json({ got: req.body }));
  const router = express.Router();
  router.get('/:id', (req, res) => res.status(Number(req.query.status ?? 200)).json(req.params));
  router.get('/:id/empty', (req, res) => res.sendStatus(204));
  app.use('/users', router);
  app.get('/ignored', (req, res) => res.redirect('/'));
  app.get('/fail', (req, res, next) => next(failed));
  app.get('/err', (req, res) => {
    res.err = Object.assign(new Error('noted'), { stack: 'Error: noted' });
    res.status(400).send('noted');
  });
  app.use('/files', express.static('.', { etag: false, lastModified: false }));
}

const visits = [
  [
    'GET /?id=1',
    {
      headers: {
        'X-User': 'ada',
        'X-A': 'x "quoted"',
        'X-Request-Id': 'mine',
        'X-Forwarded-For': '192.0.2.1',
        Authorization: `Basic ${Buffer.from('ada:x').toString('base64')}`,
        Referer: 'http://example.test/',
        'User-Agent': 'agent',
      },
    },
  ],
  'HEAD /',
  ['GET /', { headers: { 'If-None-Match': '*' } }],
  ['POST /body', { json: { name: 'Ada', password: 'secret' } }],
  ...['GET /chunks', 'GET /users/7?x=%20y', 'GET /users/7?status=404', 'GET /users/7?status=500'],
  ...['GET /users/7/empty', 'GET /ignored', 'GET /fail', 'GET /err', 'GET /files/file.txt'],
  ...['OPTIONS /users/7', 'GET /missing'],
];

/** The lines of all formats: `into` returns the stream of one. */
class Lines {
  all = {};

  into(name, read = String) {
    return new Writable({
      write: (chunk, encoding, callback) => {
        (this.all[name] ??= []).push(...[read(String(chunk))].flat());
        callback();
      },
    });
  }

  /** Returns how many lines of a format there are when `count` have been written, or nothing more comes. */
  async count(name, count) {
    for (let tries = 0; tries < 100 && !(this.all[name]?.length >= count); tries++)
      await new Promise(setImmediate);
    return this.all[name].length;
  }
}

/** The loggers: `setUp` adds them, `check` asserts that they have written, and `random` differs between runs. */
const table = {
  'express-winston': {
    packages: ['express-winston', 'winston'],
    exercised:
      'logger with templates, dynamicMeta, lists of members with bodies, filters on req, ignoreRoute, skip, levels, expressFormat; errorLogger; responses of each kind',
    random: /(?<="responseTime":)\d+|\b\d+ms|Date: [^\\]*GMT|X-Powered-By: \w+\\+r\\+n/g,
    setUp(app, express, lines) {
      const { errorLogger, logger, requestWhitelist } = require('express-winston');
      const winston = require('winston');
      const into = name => ({
        winstonInstance: winston.createLogger({
          level: 'debug',
          format: winston.format.json(),
          transports: [new winston.transports.Stream({ stream: lines.into(name, JSON.parse) })],
        }),
      });
      app.use(
        logger({
          ...into('full'),
          requestWhitelist: [...requestWhitelist, 'body', 'params', 'route.path', 'baseUrl'],
          responseWhitelist: ['statusCode', 'body', '_header'],
          bodyBlacklist: ['password'],
          statusLevels: true,
          ignoreRoute: req => req.path === '/ignored',
        }),
        logger({
          ...into('short'),
          meta: false,
          level: (req, res) => (res.statusCode >= 400 ? 'warn' : 'debug'),
          msg: '{{req.method}} {{req.url}} {{res.statusCode}} {{req.ip}}',
          skip: (req, res) => res.statusCode === 204,
        }),
        logger({
          ...into('format'),
          expressFormat: true,
          colorize: false,
          metaField: 'http',
          dynamicMeta: (req, res) => ({ user: req.user, length: res.get('Content-Length') }),
        }),
      );
      app.post('/body', (req, res, next) => {
        req._routeWhitelists.body = ['name'];
        req._routeWhitelists.res = ['locals'];
        next();
      });
      routes(app, express);
      app.use(
        errorLogger({
          ...into('errors'),
          requestWhitelist: ['method', 'url'],
          msg: '{{err.message}} at {{req.url}}',
          dynamicMeta: (req, res, err) => ({ code: err.code }),
          exceptionToMeta: err => ({ stack: err.stack.split('\n') }),
        }),
      );
    },
    async check(lines) {
      assert.equal(await lines.count('format', visits.length), visits.length);
      const { full, short, errors } = lines.all;
      assert.equal(full.length, visits.length - 1);
      assert.deepEqual(full[3].meta.req.body, { name: 'Ada' });
      assert.equal(short[0].message, 'GET /?id=1 200 192.0.2.1');
      assert.equal(errors[0].message, 'failed at /fail');
    },
  },

  morgan: {
    packages: ['morgan', 'express-basic-auth'],
    exercised:
      'every named format, tokens (url in routers, req, res, remote-user, custom ones, with arguments), compile, immediate, skip; responses of each kind',
    override: true,
    http2: true,
    knownOverHttp2: [{ places: /^\.seen\.lines/, reason: 'the version of HTTP is in the lines' }],
    random: /\d+\.\d{3} ms|\d\d\/\w{3}\/\d{4}[^\]]*/g,
    setUp(app, express, lines) {
      const morgan = require('morgan');
      const log = (name, format = name, options = {}) =>
        app.use(morgan(format, { stream: lines.into(name), ...options }));
      morgan.token('route', (req, res) => `${req.baseUrl}|${req.route?.path}|${res.locals.user}`);
      morgan.token('param', (req, res, name) => req.params?.[name] ?? req.query[name]);
      morgan.format('mine', ({ method, url, status, res: header }, req, res) =>
        [method(req, res), url(req, res), status(req, res), header(req, res, 'content-length')].join(' '),
      );
      for (const name of ['combined', 'common', 'short', 'tiny', 'dev', 'mine']) log(name);
      log(
        'tokens',
        ':route :param[id] :req[x-a] :res[etag] :res[x-list] :http-version :referrer :user-agent',
      );
      log('immediate', 'tiny', { immediate: true });
      log('skipped', 'mine', { skip: (req, res) => res.statusCode < 500 });
      app.use('/files', require('express-basic-auth')({ users: { ada: 'x' } }));
      routes(app, express);
    },
    async check(lines, note) {
      const morgan = require('morgan');
      assert.equal(await lines.count('skipped', 2), 2);
      const { all } = lines;
      assert.equal(all.tiny.length, visits.length);
      assert.match(
        all.combined[0],
        /^192\.0\.2\.1 - ada \[.*\] "GET \/\?id=1 HTTP\/[12]\.[01]" 200 5 "http:\/\/example\.test\/" "agent"\n$/,
      );
      assert.equal(all.mine[5], 'GET /users/7?x=%20y 200 10\n');
      note(morgan.compile(':method x')({ method: () => 'M' }, {}, {}));
    },
  },

  'pino-http': {
    packages: ['pino-http', 'pino'],
    exercised:
      'req.log and res.log, genReqId, serializers, levels, messages, customProps and attribute keys, autoLogging.ignore, quietReqLogger, redact, errors from next and res.err',
    http2: true,
    knownOverHttp2: [{ places: /headers\.connection$/, reason: 'HTTP/2 has no Connection' }],
    random:
      /(?<="(?:time|pid|responseTime|time_ms|remotePort)":)\d+|(?<="(?:hostname|x-powered-by|stack)":")[^"]*/g,
    setUp(app, express, lines) {
      const pinoHttp = require('pino-http');
      const parse = text =>
        text
          .trim()
          .split('\n')
          .map(line => JSON.parse(line));
      let made = 0;
      const genReqId = (req, res) => {
        const id = req.get?.('X-Request-Id') ?? `id-${++made}`;
        res.setHeader('X-Request-Id', id);
        return id;
      };
      const redact = ['req.headers.authorization'];
      const autoLogging = { ignore: req => req.url === '/ignored' };
      app.use(pinoHttp({ genReqId, redact, autoLogging }, lines.into('full', parse)));
      const custom = {
        genReqId: req => req.id,
        quietReqLogger: true,
        level: 'debug',
        customLogLevel: (req, res, err) => (err || res.statusCode >= 500 ? 'fatal' : 'debug'),
        customReceivedMessage: req => `received ${req.method}`,
        customSuccessMessage: (req, res, time) => `${req.originalUrl} done ${res.statusCode} ${typeof time}`,
        customErrorMessage: (req, res, err) => `${req.originalUrl} failed ${err.message}`,
        customProps: (req, res) => ({ route: req.route?.path, base: req.baseUrl, user: res.locals?.user }),
        customAttributeKeys: { req: 'request', res: 'response', err: 'error', responseTime: 'time_ms' },
        serializers: {
          req: req => ({ ...req, raw: typeof req.raw }),
          response: res => ({ status: res.statusCode, headers: Object.keys(res.headers) }),
        },
      };
      app.use(pinoHttp(custom, lines.into('custom', parse)));
      routes(app, express);
    },
    async check(lines) {
      await lines.count('custom', 2 * visits.length);
      const { full, custom } = lines.all;
      const done = full.filter(line => line.msg.startsWith('request'));
      assert.equal(done.length, visits.length - 1);
      assert.ok(custom.some(line => line.route === '/:id' && line.base === '/users'));
      assert.deepEqual([done[0].req.id, done[0].req.headers.authorization], ['mine', '[Redacted]']);
      assert.match(custom.find(line => line.level === 60).msg, /failed/);
    },
  },
};

/** Returns the scenario of a logger. */
function scenario([name, { setUp, check, random, ...head }]) {
  const run = async ({ listen, request, note }) => {
    const express = require('express');
    write({ 'file.txt': 'file' });
    const app = express().set('trust proxy', true).use(express.json());
    const lines = new Lines();
    setUp(app, express, lines);
    const seen = await visit(request, await listen(app), visits);
    await check(lines, note);
    const text = JSON.stringify(lines.all).replace(random, match => (/^\d+$/.test(match) ? '0' : '<random>'));
    return { seen, lines: JSON.parse(text) };
  };
  return [name, { ...head, run }];
}

module.exports = { programs: Object.fromEntries(Object.entries(table).map(scenario)) };
