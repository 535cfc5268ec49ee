/**
 * Fastify with @fastify/middie: middleware, routers and applications are run by its engine, not by an Express router.
 */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { client } = require('../support/client.cjs');

module.exports = {
  packages: ['@fastify/middie', 'fastify'],
  exercised:
    'express.static, body parsers, a router and an application with use() and a path, beside routes of Fastify, in several hooks; several rounds on one server',

  async run({ listen, request }) {
    const record = {};
    for (const hook of ['onRequest', 'preHandler']) {
      const { fastify, server } = await host(listen, hook);
      const see = client(request, server, ['last-modified', 'etag']);
      record[hook] = [await tour(see), await tour(see)];
      await fastify.close();
    }
    assert.equal(record.onRequest[0].application.status, 200);
    assert.equal(record.onRequest[1].fastify.status, 200);
    return record;
  },
};

async function host(listen, hook) {
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

async function tour(see) {
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
