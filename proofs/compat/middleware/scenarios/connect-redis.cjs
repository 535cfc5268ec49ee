/** express-session with its sessions in a Redis server that the scenario starts. */
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { cookies, signed, statuses, visit } = require('../support/visit.cjs');

module.exports = {
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
    app.use(session({ store, secret: 'cat', resave: false, saveUninitialized: false, genid, name: 'sid' }));
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
};

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
