/** Cookies, and sessions in them and in stores. */
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { cookies, field, signed, statuses, visit } = require('../support/visit.cjs');

/** Starts a server without persistence on a free port; it is killed with this process's group. */
async function startRedis() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (/ready to accept connections/i.test(output)) return port;
  }
  throw new Error(`redis-server did not start: ${output}`);
}

async function secure(request, server) {
  const [answer] = await visit(request, server, [
    ['POST /secure', { headers: { 'X-Forwarded-Proto': 'https' } }],
  ]);
  return answer;
}

/** Returns a store that can neither read nor write. */
function failing(session) {
  const store = new session.Store();
  store.get = (id, callback) => setImmediate(callback, new Error('can not read'));
  store.set = (id, value, callback) => setImmediate(callback, new Error('can not write'));
  store.destroy = (id, callback) => setImmediate(callback, new Error('can not destroy'));
  return store;
}

module.exports = {
  programs: {
    /** express-session with its sessions in a Redis server that the scenario starts. */
    'connect-redis': {
      packages: ['connect-redis', 'express-session', 'redis'],
      exercised:
        'a real server: sessions created, read, changed, touched, destroyed, regenerated; ttl and prefix; all, ids, length and clear of the store; an error of the store',
      needs: ['redis'],
      timeout: 30,

      async run({ listen, request }) {
        const express = require('express');
        const session = require('express-session');
        const { RedisStore } = require('connect-redis');
        const { createClient } = require('redis');
        const port = await startRedis();
        const redis = createClient({ url: `redis://127.0.0.1:${port}` });
        await redis.connect();
        const store = new RedisStore({ client: redis, prefix: 'app:', ttl: 600 });
        const app = express();
        let made = 0;
        const genid = () => `session-${++made}`;
        app.use(
          session({ store, secret: 'cat', resave: false, saveUninitialized: false, genid, name: 'sid' }),
        );
        app.get('/', (req, res) => res.json({ id: req.sessionID, views: req.session.views ?? 0 }));
        app.post('/', (req, res) => {
          req.session.views = (req.session.views ?? 0) + 1;
          req.session.nested = { list: [1, { two: 'é' }] };
          res.status(201).json({ ...req.session, cookie: undefined });
        });
        app.post('/regenerate', (req, res, next) =>
          req.session.regenerate(err => {
            if (err) return next(err);
            req.session.views = 100;
            res.json(req.sessionID);
          }),
        );
        app.post('/logout', (req, res, next) =>
          req.session.destroy(err => (err ? next(err) : res.sendStatus(204))),
        );
        app.use((err, req, res, next) => {
          if (res.headersSent) return next(err);
          res.status(503).json({ failed: err.message.length > 0 });
        });
        const server = await listen(app);

        const first = await visit(request, server, ['GET /', 'POST /']);
        const headers = cookies(first[1]);
        assert.match(headers.Cookie, /^sid=s%3Asession-2\./);
        assert.deepEqual(JSON.parse(await redis.get('app:session-2')).nested, { list: [1, { two: 'é' }] });
        const ttl = await redis.ttl('app:session-2');
        assert.ok(ttl > 590 && ttl <= 600);
        const second = await visit(request, server, [
          ['GET /', { headers }],
          ['POST /', { headers }],
          ['GET /', { headers }],
          ['GET /', { headers: { Cookie: 'sid=s%3Asession-2.forged' } }],
          'POST /',
        ]);
        assert.equal(JSON.parse(second[2].body).views, 2);
        const inStore = {
          ids: (await store.ids()).sort(),
          all: (await store.all()).map(({ id, views }) => [id, views]).sort(),
          length: await store.length(),
        };
        const third = await visit(request, server, [['POST /regenerate', { headers }]]);
        const now = cookies(third[0]);
        third.push(
          ...(await visit(request, server, [
            ['GET /', { headers: now }],
            ['GET /', { headers }],
            ['POST /logout', { headers: now }],
            ['GET /', { headers: now }],
          ])),
        );
        assert.equal(JSON.parse(third[1].body).views, 100);
        await store.clear();
        assert.equal(await store.length(), 0);
        await redis.set('app:session-9', 'no JSON');
        const broken = { Cookie: `sid=${signed('session-9', 'cat')}` };
        const fourth = await visit(request, server, [['GET /', { headers: broken }]]);
        assert.deepEqual(statuses(fourth), [503]);
        await redis.close();
        const expires = /Expires=[^;"]+/g;
        return JSON.parse(
          JSON.stringify({ first, second, inStore, third, fourth }).replace(expires, 'Expires=<date>'),
        );
      },
    },

    /** cookie-parser with cookies set by the framework. */
    'cookie-parser': {
      packages: ['cookie-parser'],
      exercised:
        'plain, signed and JSON cookies of res.cookie read again, several secrets, forged signatures, decode, clearCookie, no secret, two parsers, malformed fields, the static helpers',
      override: true,
      http2: true,
      warnings: {
        RISTRETTO_SHORT_SECRET: 'the secrets have three characters',
        RISTRETTO_COOKIE: 'one cookie is for example.com',
      },

      async run({ listen, request, note }) {
        const express = require('express');
        const cookieParser = require('cookie-parser');
        const show = (req, res) =>
          res.json({ cookies: req.cookies, signed: req.signedCookies, secret: req.secret });
        const app = express();
        app.use('/plain', cookieParser());
        app.use('/decode', cookieParser(null, { decode: text => `<${text}>` }));
        app.use(cookieParser(['new', 'old']));
        app.get('/set', (req, res) => {
          res.cookie('name', 'Ada & co', { maxAge: 60_000, httpOnly: true, sameSite: 'lax', path: '/' });
          res.cookie('json', { a: [1, { b: 'é' }] });
          res.cookie('signed', 'value', { signed: true, sameSite: 'none', secure: true });
          res.cookie(
            'signedJson',
            { user: 1 },
            { signed: true, priority: 'high', partitioned: true, secure: true },
          );
          res.cookie('raw', 'a%20b', { encode: String, domain: 'example.com' });
          res.clearCookie('gone', { path: '/x', maxAge: 5 });
          res.send('set');
        });
        app.get('/plain/signed', (req, res) => res.cookie('a', 'b', { signed: true }).send('never'));
        app.get(['/show', '/plain', '/decode'], show);
        const server = await listen(app);
        const [set] = await visit(request, server, ['GET /set']);
        assert.match(set.headers.join('\n'), /signed=s%3Avalue\./);
        const headers = cookies(set);
        const { sign } = require('cookie-signature');
        const old = {
          Cookie: `signed=s%3A${encodeURIComponent(sign('value', 'old'))}; forged=s%3Avalue.AAAA; plain=s:`,
        };
        const seen = await visit(request, server, [
          ['GET /show', { headers }],
          ['GET /show', { headers: old }],
          ['GET /plain', { headers }],
          ['GET /decode', { headers }],
          'GET /show',
          [
            'GET /show',
            { headers: { Cookie: 'a; b=; =c; d=%E0; e="quoted"; d=again; __proto__=x; j=j:{bad; k=j:[1]' } },
          ],
          ['GET /show', { headers: { Cookie: `long=${'x'.repeat(3000)}; constructor=1` } }],
          'GET /plain/signed',
        ]);
        const shown = JSON.parse(seen[0].body);
        assert.deepEqual(shown.cookies.json, { a: [1, { b: 'é' }] });
        assert.deepEqual(shown.signed, { signed: 'value', signedJson: { user: 1 } });
        assert.deepEqual(JSON.parse(seen[1].body).signed, { signed: 'value', forged: false, plain: false });
        assert.equal(seen[7].status, 500);
        note(
          cookieParser.JSONCookie('j:{"a":1}'),
          cookieParser.signedCookie(decodeURIComponent(signed('x', 'y')), 'y'),
        );
        note(cookieParser.JSONCookies({ a: 'j:[1]', b: 'c' }), field(set, 'content-type'));
        const expires = /Expires=(?!Thu, 01 Jan 1970)[^;"]+/g;
        return JSON.parse(JSON.stringify([set, ...seen]).replace(expires, 'Expires=<date>'));
      },
    },

    /** cookie-session: the session is stored in the cookie itself. */
    'cookie-session': {
      packages: ['cookie-session'],
      exercised:
        'keys and their rotation, changes, isNew, isChanged, isPopulated, null, sessionOptions of one request, a value that is not an object, forged and unsigned cookies, a redirect that sets it, secure behind a proxy',
      http2: true,

      async run({ listen, request }) {
        const express = require('express');
        const cookieSession = require('cookie-session');
        const app = express();
        app.set('trust proxy', true);
        app.use('/old', cookieSession({ name: 'session', keys: ['old'] }));
        app.use(
          '/plain',
          cookieSession({ name: 'plain', signed: false, httpOnly: false, sameSite: 'strict' }),
        );
        app.use(
          '/secure',
          cookieSession({ name: 'safe', keys: ['new'], secure: true, secureProxy: undefined }),
        );
        app.use('/app', cookieSession({ name: 'session', keys: ['new', 'old'], maxAge: 3_600_000 }));
        const show = (req, res) => {
          const { isNew, isChanged, isPopulated } = req.session ?? {};
          res.json({ session: req.session, isNew, isChanged, isPopulated });
        };
        const count = (req, res) => {
          req.session.views = (req.session.views || 0) + 1;
          req.session.user ??= { name: 'Ädä' };
          res.send(`views: ${req.session.views}`);
        };
        app.get(['/app', '/plain', '/secure'], show);
        app.post(['/app', '/plain', '/secure', '/old'], count);
        app.delete('/app', (req, res) => {
          req.session = null;
          res.sendStatus(204);
        });
        app.post('/app/short', (req, res) => {
          req.sessionOptions.maxAge = 1000;
          req.sessionOptions.path = '/app/short';
          req.session.short = true;
          res.redirect('/app');
        });
        app.post('/app/text', (req, res) => {
          req.session = 'text';
          res.send('never');
        });
        const server = await listen(app);
        const [none, made] = await visit(request, server, ['GET /app', 'POST /app']);
        const headers = cookies(made);
        assert.match(headers.Cookie, /^session=[^;]+; session\.sig=/);
        const [old, plain] = await visit(request, server, ['POST /old', 'POST /plain']);
        const seen = await visit(request, server, [
          ['GET /app', { headers }],
          ['POST /app', { headers }],
          ['DELETE /app', { headers }],
          ['POST /app/short', { headers }],
          ['POST /app/text', { headers }],
          ['GET /app', { headers: cookies(old) }],
          ['GET /app', { headers: { Cookie: headers.Cookie.replace('session=e', 'session=f') } }],
          ['GET /app', { headers: { Cookie: headers.Cookie.split(';')[0] } }],
          ['GET /plain', { headers: cookies(plain) }],
          ['GET /plain', { headers: { Cookie: 'plain=bm90IGpzb24=' } }],
          'POST /secure',
          ['POST /secure', { headers: { 'X-Forwarded-Proto': 'https' } }],
        ]);
        assert.deepEqual(JSON.parse(seen[0].body).session, { views: 1, user: { name: 'Ädä' } });
        assert.equal(seen[1].body, 'views: 2');
        assert.deepEqual(JSON.parse(seen[5].body).session.views, 1);
        assert.deepEqual(JSON.parse(seen[6].body).session, {});
        const expires = /expires=(?!Thu, 01 Jan 1970)[^;"]+/g;
        return JSON.parse(
          JSON.stringify([none, made, old, plain, ...seen]).replace(expires, 'expires=<date>'),
        );
      },
    },

    /** express-session with the in-memory store and a custom one. */
    'express-session': {
      packages: ['express-session'],
      exercised:
        'genid, name, resave, saveUninitialized, rolling, unset, several secrets, cookie options, secure: auto behind a proxy, regenerate, destroy, reload, save, touch, stores that fail and that disconnect, streams and redirects that set the cookie',
      override: true,
      http2: true,

      async run({ listen, request, note }) {
        const express = require('express');
        const session = require('express-session');
        const app = express();
        app.set('trust proxy', 1);
        let made = 0;
        const genid = () => `id${++made}`;
        const base = { genid, resave: false, saveUninitialized: false, secret: ['new', 'old'] };
        const store = new session.MemoryStore();
        app.use('/lazy', session({ ...base, store }));
        app.use(
          '/eager',
          session({
            ...base,
            saveUninitialized: true,
            resave: true,
            name: 'eager',
            cookie: { sameSite: 'lax', path: '/eager' },
          }),
        );
        app.use('/rolling', session({ ...base, rolling: true, cookie: { maxAge: 60_000, httpOnly: false } }));
        app.use('/secure', session({ ...base, saveUninitialized: true, cookie: { secure: 'auto' } }));
        app.use('/unset', session({ ...base, unset: 'destroy' }));
        app.use('/failing', session({ ...base, store: failing(session), saveUninitialized: true }));
        const router = express.Router();
        // After reading it back from the store, the elapsed millisecond may be missing
        const inSeconds = age => (typeof age === 'number' ? Math.round(age / 1000) : age);
        router.get('/', (req, res) =>
          res.json({
            id: req.sessionID,
            views: req.session?.views,
            maxAge: inSeconds(req.session?.cookie.originalMaxAge),
          }),
        );
        router.post('/', (req, res) => {
          req.session.views = (req.session.views ?? 0) + 1;
          res.status(201).send(`views ${req.session.views}`);
        });
        router.post('/redirect', (req, res) => {
          req.session.views = 10;
          res.redirect(303, '.');
        });
        router.post('/stream', (req, res) => {
          req.session.views = 20;
          res.write('one ');
          res.end('two');
        });
        const done = (req, res, next) => err =>
          err ? next(err) : res.json({ id: req.sessionID, views: req.session?.views });
        router.post('/regenerate', (req, res, next) => req.session.regenerate(done(req, res, next)));
        router.post('/destroy', (req, res, next) => req.session.destroy(done(req, res, next)));
        router.post('/reload', (req, res, next) => {
          req.session.views = 1000;
          req.session.reload(done(req, res, next));
        });
        router.post('/save', (req, res, next) => {
          req.session.views = 30;
          req.session.save(done(req, res, next));
        });
        router.post('/touch', (req, res) => {
          req.session.cookie.maxAge = 5000;
          req.session.touch();
          res.send('touched');
        });
        router.post('/unset', (req, res) => {
          delete req.session;
          res.sendStatus(204);
        });
        for (const path of ['/lazy', '/eager', '/rolling', '/secure', '/unset', '/failing'])
          app.use(path, router);
        app.use((err, req, res, next) => {
          note('error', err.message, req.originalUrl);
          if (res.headersSent) return next(err);
          res.status(500).send(err.message);
        });
        const server = await listen(app);
        const seen = {};
        for (const name of ['lazy', 'eager', 'rolling', 'secure', 'unset']) {
          const first = await visit(request, server, [`GET /${name}`, `POST /${name}`]);
          const headers = { ...cookies(first[1]), 'X-Forwarded-Proto': name === 'secure' ? 'https' : 'http' };
          const paths = [
            ...['/', '/redirect', '/stream', '/reload', '/save', '/touch', '/regenerate', '/unset'],
            ...['/destroy', '/'],
          ];
          const visits = paths.map(path => [`POST /${name}${path}`, { headers }]);
          const last = [
            [`GET /${name}`, { headers }],
            [`GET /${name}`, { headers: { Cookie: `connect.sid=${signed('id2', 'old')}` } }],
            [`GET /${name}`, { headers: { Cookie: 'connect.sid=s%3Aid2.forged; eager=id2' } }],
          ];
          seen[name] = [
            ...first,
            ...(await visit(request, server, [[`GET /${name}`, { headers }], ...visits, ...last])),
          ];
        }
        assert.equal(field(seen.lazy[0], 'set-cookie'), undefined);
        assert.match(field(seen.lazy[1], 'set-cookie'), /^connect\.sid=s%3Aid2\.[^;]+; Path=\/; HttpOnly$/);
        assert.equal(JSON.parse(seen.lazy[2].body).views, 1);
        assert.equal(seen.lazy[3].body, 'views 2');
        assert.match(field(seen.rolling[2], 'set-cookie'), /Expires=/);
        assert.match(field(await secure(request, server), 'set-cookie'), /; Secure/);
        seen.failing = await visit(request, server, [
          'GET /failing',
          'POST /failing',
          ['GET /failing', { headers: { Cookie: `connect.sid=${signed('x', 'new')}` } }],
        ]);
        note(Object.keys(await new Promise(resolve => store.all((err, all) => resolve(all)))).sort());
        return JSON.parse(JSON.stringify(seen).replace(/Expires=[^;"]+/g, 'Expires=<date>'));
      },
    },
  },
};
