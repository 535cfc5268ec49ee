/** polka and an application on one server: neither sees the other's requests. */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { visit } = require('../support/visit.cjs');

module.exports = {
  packages: ['polka'],
  exercised:
    'On one server of node:http: by path in one listener, polka as the listener before the application and after it, polka passing on what it has no route for, polka as middleware of the application, an application as middleware of polka; several rounds and one connection for many requests',

  async run({ listen, request, note }) {
    const seen = {};
    for (const [name, make] of Object.entries(arrangements)) {
      const server = http.createServer();
      make(server, (...what) => note(name, ...what));
      await listen(server);
      seen[name] = await rounds(request, server);
    }
    assert.deepEqual(seen.byPath.first[0].body, '{"by":"polka","path":"/polka","query":{"a":"1"}}');
    assert.equal(seen.byPath.second[2].body, '{"by":"application","path":"/application","ip":"127.0.0.1"}');
    return seen;
  },
};

/** The ways in which the two share a server. */
const arrangements = {
  byPath(server) {
    const [polka, app] = both();
    server.on('request', (req, res) =>
      req.url.startsWith('/polka') ? polka.handler(req, res) : app(req, res),
    );
  },
  polkaFirst(server, note) {
    const [polka, app] = both({ onNoMatch: () => undefined });
    server.on('request', polka.handler);
    server.on('request', (req, res) => {
      note(
        req.url,
        res.writableEnded,
        Object.keys(req).filter(key => ['path', 'query', 'search'].includes(key)),
      );
      if (!res.writableEnded) app(req, res);
    });
  },
  applicationFirst(server, note) {
    const [polka, app] = both({ onNoMatch: () => undefined });
    server.on('request', (req, res) => {
      if (!req.url.startsWith('/polka')) app(req, res);
    });
    server.on('request', (req, res) => {
      note(req.url, typeof res.send, typeof req.get);
      if (req.url.startsWith('/polka')) polka.handler(req, res);
    });
  },
  handedOn(server) {
    const [polka, app] = both({ onNoMatch: (req, res) => app(req, res) });
    server.on('request', polka.handler);
  },
  polkaAsMiddleware(server) {
    const [polka, app] = both();
    app.use(polka.handler);
    server.on('request', app);
  },
  applicationAsMiddleware(server) {
    const [polka, app] = both();
    polka.use(app);
    server.on('request', polka.handler);
  },
};

/** Returns a polka and an application with one route each. */
function both(options) {
  const polka = require('polka')(options);
  const express = require('express');
  const app = express().set('env', 'production');
  polka.get('/polka', (req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ by: 'polka', path: req.path, query: req.query }));
  });
  polka.get('/polka/:id', (req, res) => res.end(`${req.params.id} ${req.path} ${req.search}`));
  app.get('/application', (req, res) => res.json({ by: 'application', path: req.path, ip: req.ip }));
  app.get('/application/:id', (req, res) => res.json({ params: req.params, query: req.query }));
  return [polka, app];
}

/** Sends the same requests twice: each on its own connection, and then all on one. */
async function rounds(request, server) {
  const lines = ['/polka?a=1', '/polka/7?b=2', '/application', '/application/8?c=3', '/polka?d=4', '/none'];
  const first = await visit(
    request,
    server,
    lines.map(line => `GET ${line}`),
  );
  const second = await visit(
    request,
    server,
    lines.map(line => `GET ${line}`),
  );
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const kept = [];
  for (const path of [...lines, ...lines]) kept.push(await get({ port: server.address().port, path, agent }));
  agent.destroy();
  return { first, second, kept };
}

function get(options) {
  return new Promise((resolve, reject) => {
    const outgoing = http.get({ host: '127.0.0.1', headers: { Host: 'localhost' }, ...options }, incoming => {
      let body = '';
      incoming.setEncoding('utf8').on('data', chunk => (body += chunk));
      incoming.on('end', () => resolve(`${incoming.statusCode} ${body}`));
    });
    outgoing.on('error', reject);
  });
}
