/** Fastify that hosts middleware of Express. */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { client } = require('../support/client.cjs');

/** Starts a Fastify with an application in it, on a server of the harness. */
async function host(listen) {
  const express = require('express');
  let server;
  const fastify = require('fastify')({
    serverFactory: handler => (server = http.createServer(handler)),
  });
  await fastify.register(require('@fastify/express'));
  fastify.use((req, res, next) => {
    req.marked = true;
    res.setHeader('X-Middleware', String(req.headers['x-mark'] ?? 'none'));
    next();
  });
  const app = express().set('env', 'production');
  app.get('/json', (req, res) =>
    res.json({ query: req.query, base: req.baseUrl, ip: req.ip, path: req.path }),
  );
  app.post('/echo', express.json(), (req, res) => res.status(201).json(req.body));
  app.get('/file', (req, res) =>
    res.sendFile(__filename, { headers: { 'Last-Modified': 'never' }, etag: false }),
  );
  app.get('/throws', () => {
    throw Object.assign(new Error('thrown'), { status: 418 });
  });
  fastify.use('/app', app);
  const router = express.Router();
  router.get('/:id', (req, res) => res.send(`router ${req.params.id} ${req.hostname} ${req.protocol}`));
  fastify.use('/router', router);
  fastify.get('/fastify/:id', async (req, reply) => {
    reply.header('X-Marked', String(req.raw.marked));
    return { id: req.params.id, url: req.raw.url, ip: req.ip };
  });
  fastify.post('/fastify', async req => req.body);
  fastify.get('/fails', async () => {
    throw Object.assign(new Error('failed'), { statusCode: 409 });
  });
  await fastify.register(
    async inner => {
      inner.use((req, res, next) => next(req.url.includes('refused') ? new Error('refused') : undefined));
      inner.get('/route', async () => ({ inner: true }));
      inner.get('/refused', async () => ({ never: true }));
    },
    { prefix: '/inner' },
  );
  await fastify.ready();
  return { fastify, server: await listen(server) };
}

async function tour(see) {
  return {
    application: await see('GET /app/json?a=1', { headers: { 'X-Mark': 'yes' } }),
    fastify: await see('GET /fastify/5'),
    router: await see('GET /router/7'),
    echo: await see('POST /app/echo', { json: { a: 1 } }),
    post: await see('POST /fastify', { json: { b: 2 } }),
    throws: await see('GET /app/throws'),
    fails: await see('GET /fails'),
    noRoute: await see('GET /app/none'),
    none: await see('GET /none'),
    inner: await see('GET /inner/route'),
    refused: await see('GET /inner/refused'),
    encoded: await see('GET /router/%61'),
  };
}

/** Sends all requests over one connection. */
async function keepAlive(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const seen = [];
  for (const path of ['/app/json', '/fastify/1', '/router/2', '/fastify/3', '/app/none', '/none']) {
    seen.push(
      await new Promise((resolve, reject) => {
        const outgoing = http.get(
          { port, host: '127.0.0.1', path, agent, headers: { Host: 'localhost' } },
          incoming => {
            let body = '';
            incoming.setEncoding('utf8').on('data', chunk => (body += chunk));
            incoming.on('end', () => resolve(`${incoming.statusCode} ${body}`));
          },
        );
        outgoing.on('error', reject);
      }),
    );
  }
  agent.destroy();
  return seen;
}

async function hostOfFastifyMiddie(listen, hook) {
  const express = require('express');
  let server;
  const fastify = require('fastify')({ serverFactory: handler => (server = http.createServer(handler)) });
  await fastify.register(require('@fastify/middie'), { hook });
  fastify.use('/files', express.static(__dirname, { index: false }));
  fastify.use('/files', express.static(`${__dirname}/../fixtures/static`));
  const app = express().set('env', 'production');
  app.get('/json', (req, res) =>
    res.json({ url: req.url, original: req.originalUrl, ip: req.ip, path: req.path }),
  );
  app.get('/throws', () => {
    throw new Error('thrown');
  });
  fastify.use('/app', app);
  const router = express.Router();
  router.get('/:id', (req, res) => res.end(`router ${req.params.id} ${req.url}`));
  fastify.use(['/router', '/also'], router);
  fastify.get('/fastify/:id', async (req, reply) => {
    reply.header('X-Url', req.raw.url);
    return { id: req.params.id, ip: req.ip };
  });
  await fastify.ready();
  return { fastify, server: await listen(server) };
}

async function tourOfFastifyMiddie(see) {
  return {
    application: await see('GET /app/json?a=1'),
    fastify: await see('GET /fastify/5'),
    router: await see('GET /router/7'),
    also: await see('GET /also/8'),
    file: { ...(await see('GET /files/fastify-middie.cjs')), body: undefined },
    noFile: await see('GET /files/none.txt'),
    throws: await see('GET /app/throws'),
    none: await see('GET /none'),
    noRoute: await see('GET /app/none'),
  };
}

module.exports = {
  programs: {
    /** Fastify hosting an application through @fastify/express, which depends on Express itself. */
    'fastify-express': {
      packages: ['@fastify/express', 'fastify'],
      exercised:
        'Middleware, routers and an application with use(), below a prefix and in a registered plugin, beside routes of Fastify: several rounds, one connection for many requests, bodies, errors of both, inject, files',

      async run({ listen, request }) {
        const { fastify, server } = await host(listen);
        const see = client(request, server);
        const record = {
          first: await tour(see),
          second: await tour(see),
          kept: await keepAlive(server.address().port),
        };
        const injected = [];
        for (const url of ['/app/json?a=1', '/fastify/5', '/app/file', '/app/throws']) {
          const { statusCode, headers, payload } = await fastify.inject({ url });
          injected.push({
            statusCode,
            headers: { ...headers, date: undefined, 'x-powered-by': undefined },
            payload,
          });
        }
        await fastify.close();
        assert.equal(record.first.application.status, 200);
        assert.equal(record.second.application.body, record.first.application.body);
        return { ...record, injected };
      },
    },

    /**
     * Fastify with @fastify/middie: middleware, routers and applications are run by its engine, not by an Express
     * router.
     */
    'fastify-middie': {
      packages: ['@fastify/middie', 'fastify'],
      exercised:
        'express.static, body parsers, a router and an application with use() and a path, beside routes of Fastify, in several hooks; several rounds on one server',

      async run({ listen, request }) {
        const record = {};
        for (const hook of ['onRequest', 'preHandler']) {
          const { fastify, server } = await hostOfFastifyMiddie(listen, hook);
          const see = client(request, server, ['last-modified', 'etag']);
          record[hook] = [await tourOfFastifyMiddie(see), await tourOfFastifyMiddie(see)];
          await fastify.close();
        }
        assert.equal(record.onRequest[0].application.status, 200);
        assert.equal(record.onRequest[1].fastify.status, 200);
        return record;
      },
    },
  },
};
