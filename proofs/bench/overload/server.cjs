/**
 * One server for the comparison under overload: `node proofs/bench/overload/server.cjs KIND`. Each request for `/page` takes 2 ms of
 * the processor, after 40 to 60 ms of waiting as for a database. Prints its port.
 */
'use strict';
const { createHash } = require('node:crypto');
const http = require('node:http');
const { setTimeout: sleep } = require('node:timers/promises');

/** If all waited for the same time, requests that began together would stay together, and leave the processor idle in between. */
const wait = () => 40 + Math.random() * 20;
/**
 * What takes 2 ms to hash. Fixed work, not time: time passes while other processes have the processor, too. Native code: V8
 * compiles the same loop in one process and interprets it in another, which is ten times slower.
 */
const DATA = Buffer.alloc(3 * 1024 * 1024);

const work = () => createHash('sha256').update(DATA).digest('hex');

async function page() {
  await sleep(wait());
  return `hash ${work()}`;
}

function expressLike(web, before = []) {
  const app = web();
  for (const handler of before) app.use(handler);
  app.get('/livez', (req, res) => res.json({ status: 'ok' }));
  app.get('/page', (req, res, next) => {
    page().then(text => res.send(text), next);
  });
  return http.createServer(app);
}

const kinds = {
  bare: () =>
    http.createServer((req, res) => {
      if (req.url === '/livez') res.end('ok');
      else page().then(text => res.end(text));
    }),
  express: () => expressLike(require('express4')),
  ristretto: () => expressLike(require('../../../packages/ristretto')),
  'ristretto with web.overload': () => {
    const web = require('../../../packages/ristretto');
    return expressLike(web, [web.health(), web.overload()]);
  },
  fastify: () => fastify(),
  'fastify with under-pressure': () => fastify(true),
};

async function fastify(hasLimits = false) {
  const app = require('fastify')();
  if (hasLimits) {
    // The delay is that of `web.overload`; the default has no limits.
    await app.register(require('@fastify/under-pressure'), {
      maxEventLoopDelay: 20,
      sampleInterval: 100,
      retryAfter: 1,
    });
  }
  app.get('/livez', { config: { pressureHandler: () => undefined } }, async () => ({ status: 'ok' }));
  app.get('/page', page);
  await app.ready();
  return app;
}

(async () => {
  const server = await kinds[process.argv[2]]();
  if (typeof server.inject === 'function') {
    await server.listen({ port: 0, host: '127.0.0.1' });
    console.log(server.server.address().port);
  } else {
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  }
})();
