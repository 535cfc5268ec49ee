/** Small middleware of the time of connect. */
'use strict';

const assert = require('node:assert/strict');
const { field, statuses, visit } = require('../support/visit.cjs');

module.exports = {
  programs: {
    /** connect-timeout: requests that take too long. */
    'connect-timeout': {
      packages: ['connect-timeout'],
      exercised:
        'a time in milliseconds and as a string, respond: false with its event, clearTimeout, req.timedout, the halt-on-timedout pattern, a response in time, a response that began before the time was over',
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const timeout = require('connect-timeout');
        const app = express();
        const later = (milliseconds, fn) => setTimeout(fn, milliseconds);
        const halt = (req, res, next) => {
          if (!req.timedout) next();
        };
        app.get('/fast', timeout('5s'), (req, res) => res.json({ timedout: req.timedout }));
        app.get('/slow', timeout(30), () => {});
        app.get('/text', timeout('30ms'), () => {});
        app.get(
          '/halted',
          timeout(30),
          (req, res, next) => later(90, next),
          halt,
          (req, res) => {
            note('never');
            res.send('never');
          },
        );
        app.get('/silent', timeout(30, { respond: false }), (req, res) => {
          req.on('timeout', (time, ...rest) => {
            note('timeout', time, rest.length, req.timedout);
            res.status(202).send('still here');
          });
        });
        app.get('/cleared', timeout(30), (req, res) => {
          req.clearTimeout();
          later(90, () => res.json({ timedout: req.timedout }));
        });
        app.get('/begun', timeout(40), (req, res) => {
          res.write('begun');
          later(120, () => res.end(' and ended'));
        });
        const router = express.Router();
        router.use(timeout(30));
        router.get('/slow', () => {});
        router.use((err, req, res, next) => {
          note('router', err.message);
          next(err);
        });
        app.use('/router', router);
        app.use((err, req, res, next) => {
          const { code, status, statusCode, timeout: time, message, name } = err;
          note('error', { code, status, statusCode, time, message, name, timedout: req.timedout });
          if (res.headersSent || req.path === '/text') return next(err);
          res.status(err.status).json({ message });
        });
        const server = await listen(app);
        const paths = ['fast', 'slow', 'text', 'halted', 'silent', 'cleared', 'router/slow'];
        const seen = await visit(
          request,
          server,
          paths.map(each => `GET /${each}`),
        );
        assert.deepEqual(statuses(seen), [200, 503, 503, 503, 202, 200, 503]);
        const begun = await request(server, { path: '/begun' }).then(
          ({ status, body }) => ({ status, body }),
          () => 'connection closed',
        );
        return { seen, begun };
      },
    },

    /** errorhandler: error pages for developers. */
    errorhandler: {
      packages: ['errorhandler'],
      exercised:
        'HTML, JSON and text by Accept, status from err.status, err.statusCode and res.statusCode, thrown values that are not errors, a log function, log: false, the title, headers that were already sent',
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const errorhandler = require('errorhandler');
        const app = express();
        const fail = {
          plain: () => new Error('plain <b>'),
          status: () => Object.assign(new Error('teapot'), { status: 418, extra: { a: 1 } }),
          code: () => Object.assign(new TypeError('code'), { statusCode: 422 }),
          low: () => Object.assign(new Error('low'), { status: 200 }),
          text: () => 'just text',
          object: () => ({ message: 'an object', stack: 'line 1\n  line 2' }),
          nested: () => new Error('outer', { cause: new Error('inner') }),
        };
        app.get('/fail/:kind', (req, res, next) => {
          const error = fail[req.params.kind]();
          // Stack frames differ between the frameworks.
          if (error instanceof Error)
            error.stack = `${error.name}: ${error.message}\n    at one (file.js:1:2)\n    at two`;
          next(error);
        });
        app.get('/status', (req, res) => {
          res.status(409);
          throw Object.assign(new Error('conflict'), { stack: 'Error: conflict' });
        });
        app.get('/begun', (req, res, next) => {
          res.write('begun');
          setImmediate(next, new Error('too late'));
        });
        app.use('/fail/object', errorhandler({ log: false }));
        let loggedLast;
        const last = new Promise(resolve => (loggedLast = resolve));
        app.use(
          errorhandler({
            log: (err, text, req, res) => {
              note(String(err).split('\n')[0], text.split('\n')[0], req.url, res.statusCode);
              if (req.url === '/begun') loggedLast();
            },
          }),
        );
        errorhandler.title = 'My application';
        const server = await listen(app);
        const accepts = { html: 'text/html', json: 'application/json', text: 'text/plain', all: '*/*' };
        const seen = [];
        for (const [name, Accept] of Object.entries(accepts)) {
          const paths = [...Object.keys(fail).map(kind => `/fail/${kind}`), '/status'];
          const answers = await visit(
            request,
            server,
            paths.map(each => [`GET ${each}`, { headers: { Accept } }]),
          );
          assert.deepEqual(statuses(answers), [500, 418, 422, 500, 500, 500, 500, 409]);
          seen.push({ name, answers });
        }
        assert.match(seen[0].answers[0].body, /<h1>My application<\/h1>/);
        assert.equal(JSON.parse(seen[1].answers[1].body).error.extra.a, 1);
        const begun = await request(server, { path: '/begun' }).then(
          ({ body }) => body,
          () => 'connection closed',
        );
        // The error is logged after the connection has closed.
        await last;
        return { seen, begun };
      },
    },

    /** method-override: other methods for clients that can only send GET and POST. */
    'method-override': {
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
    },

    /** response-time: the duration of a response. */
    'response-time': {
      packages: ['response-time'],
      exercised:
        'the header, its name, digits and suffix, a function of req, res and time, on json, streams, files, errors, redirects and 404, a header that is already set',
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const responseTime = require('response-time');
        require('node:fs').writeFileSync('file.txt', 'file');
        const app = express();
        app.use('/default', responseTime());
        app.use('/options', responseTime({ digits: 0, header: 'X-Took', suffix: false }));
        app.use(
          '/function',
          responseTime((req, res, time) => {
            note(req.url, req.baseUrl, res.statusCode, res.headersSent, time > 0);
            res.setHeader('X-Function', 'yes');
          }),
        );
        const router = express.Router();
        router.get('/', (req, res) => setTimeout(() => res.json({}), 20));
        router.get('/set', (req, res) => res.set('X-Response-Time', 'mine').send('set'));
        router.get('/stream', (req, res) => {
          res.write('a');
          res.end('b');
        });
        router.get('/empty', (req, res) => res.sendStatus(204));
        router.get('/away', (req, res) => res.redirect('/'));
        router.get('/fail', (req, res, next) => next(Object.assign(new Error('failed'), { status: 400 })));
        router.use('/files', express.static('.', { etag: false, lastModified: false }));
        for (const path of ['/default', '/options', '/function']) app.use(path, router);
        const server = await listen(app);
        const paths = ['', '/set', '/stream', '/empty', '/away', '/fail', '/files/file.txt', '/missing'];
        const lines = ['default', 'options', 'function'].flatMap(name =>
          paths.map(path => `GET /${name}${path}`),
        );
        const seen = await visit(request, server, [...lines, 'HEAD /default', 'GET /elsewhere']);
        assert.match(field(seen[0], 'x-response-time'), /^\d+\.\d{3}ms$/);
        assert.ok(parseFloat(field(seen[0], 'x-response-time')) >= 18);
        assert.match(field(seen[8], 'x-took'), /^\d+$/);
        assert.equal(field(seen[1], 'x-response-time'), 'mine');
        assert.ok(seen.slice(16, 24).every(answer => field(answer, 'x-function') === 'yes'));
        return JSON.parse(JSON.stringify(seen).replace(/(X-Response-Time|X-Took): [\d.]+/gi, '$1: <time>'));
      },
    },

    /** vhost: one application for each host name. */
    vhost: {
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
    },
  },
};
