/** node-mocks-http: handlers, routers and applications are called with plain objects as requests and responses. */
'use strict';

const assert = require('node:assert/strict');
const { EventEmitter, once } = require('node:events');

module.exports = {
  packages: ['node-mocks-http'],
  exercised:
    'Handlers, routers, applications and body parsers called with mock requests and responses, with and without an event emitter: members, headers, cookies, bodies, renders, redirects, errors, chunks',

  async run() {
    const express = require('express');
    const seen = {};
    for (const [name, options] of Object.entries(requests)) {
      seen[name] = {
        router: await call(router(express), options),
        application: await call(application(express), options),
      };
    }
    assert.deepEqual(seen.json.router.data, { id: '7', query: { a: '1' } });
    return seen;
  },
};

const requests = {
  json: { method: 'GET', url: '/json/7?a=1', query: { a: '1' } },
  send: { method: 'GET', url: '/send' },
  end: { method: 'GET', url: '/end' },
  pieces: { method: 'GET', url: '/pieces' },
  redirect: { method: 'GET', url: '/redirect' },
  render: { method: 'GET', url: '/render' },
  cookie: { method: 'GET', url: '/cookie', cookies: { c: 'd' } },
  body: { method: 'POST', url: '/body', body: { b: 1 }, headers: { 'content-type': 'application/json' } },
  throws: { method: 'GET', url: '/throws' },
  nothing: { method: 'GET', url: '/nothing' },
  options: { method: 'OPTIONS', url: '/send' },
  members: {
    method: 'GET',
    url: '/members',
    ip: '10.0.0.1',
    session: { user: 'me' },
    headers: { 'x-a': 'b' },
  },
};

function routes(target) {
  target.get('/json/:id', (req, res) => res.status(201).json({ id: req.params.id, query: req.query }));
  target.get('/send', (req, res) => res.set('X-A', 'b').type('text').send('sent'));
  target.get('/end', (req, res) => res.writeHead(202, { 'X-Head': '1' }).end('ended'));
  target.get('/pieces', (req, res) => {
    res.write('one');
    setImmediate(() => res.end('two'));
  });
  target.get('/redirect', (req, res) => res.redirect(303, '/json/1'));
  target.get('/render', (req, res) => res.render('view', { a: 1 }));
  target.get('/cookie', (req, res) =>
    res.cookie('a', 'b', { httpOnly: true }).clearCookie('x').json(req.cookies),
  );
  target.post('/body', (req, res) => res.json(req.body));
  target.get('/members', (req, res) =>
    res.json({
      ip: req.ip,
      user: req.session.user,
      header: [req.get('x-a'), req.header('X-A')],
      url: req.originalUrl,
    }),
  );
  target.get('/throws', () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  });
  target.use((error, req, res, next) => res.status(error.status ?? 500).send(error.message));
  return target;
}

function router(express) {
  return routes(express.Router().use(express.json()));
}

function application(express) {
  const app = express()
    .set('env', 'production')
    .disable('x-powered-by')
    .disable('etag')
    .set('views', __dirname);
  app.engine('html', (file, locals, done) => done(null, 'rendered')).set('view engine', 'html');
  return routes(app.use(express.json()));
}

/** Returns the final contents of a mock response; unhandled requests go to `next`. */
async function call(handle, options) {
  const { createMocks } = require('node-mocks-http');
  const { req, res } = createMocks({ ...options }, { eventEmitter: EventEmitter });
  const outcome = {};
  const ended = once(res, 'end', { signal: AbortSignal.timeout(500) }).then(
    () => 'end',
    () => 'no end',
  );
  const passed = new Promise(resolve => {
    try {
      handle(req, res, error => {
        outcome.next = error ? String(error.message) : 'called';
        resolve('next');
      });
    } catch (error) {
      outcome.thrown = error.message;
      resolve('thrown');
    }
  });
  outcome.by = await Promise.race([ended, passed]);
  const { statusCode, statusMessage, cookies } = res;
  let data = res._getData?.();
  if (res._isJSON?.()) data = res._getJSONData();
  return {
    ...outcome,
    statusCode,
    statusMessage,
    cookies,
    data,
    headers: { ...res.getHeaders(), date: undefined },
  };
}
