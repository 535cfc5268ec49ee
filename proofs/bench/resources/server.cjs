/**
 * Starts one framework in the folder in which it is installed, and prints what that costs:
 *
 *     node server.cjs <framework> start          microseconds of processor time until it listens, with one route
 *     node server.cjs <framework> routes <count> the same for many routes, their memory, and the time of a request for the last
 *     node server.cjs <framework> idle           answers, and tells its heap to the parent when asked
 */
process.env.NODE_ENV = 'production';
require('node:http');
const path = require('node:path');
const { createRequire } = require('node:module');
const load = createRequire(path.join(process.cwd(), 'index.js'));

const [framework, what, count = '1'] = process.argv.slice(2);
const hello = { hello: 'world' };

/** Starts a server whose routes are `/r0/:id`, `/r1/:id` and so on; calls `done` with it when it listens. */
const frameworks = {
  bare(routes, done) {
    const server = require('node:http').createServer((req, res) => {
      res.setHeader('Content-Type', 'application/json; charset=utf-8');
      res.end(JSON.stringify(hello));
    });
    server.listen(0, () => done(server));
  },
  fastify(routes, done) {
    const app = load('fastify')();
    for (let i = 0; i < routes; i++) app.get(`/r${i}/:id`, (request, reply) => reply.send(hello));
    app.listen({ port: 0 }, () => done(app.server));
  },
  hono(routes, done) {
    const app = new (load('hono').Hono)();
    for (let i = 0; i < routes; i++) app.get(`/r${i}/:id`, context => context.json(hello));
    const server = load('@hono/node-server').serve({ fetch: app.fetch, port: 0 }, () => done(server));
  },
  express(routes, done) {
    const app = load(framework.replace(/^express.*/, 'express'))();
    for (let i = 0; i < routes; i++) app.get(`/r${i}/:id`, (req, res) => res.json(hello));
    const server = app.listen(0, () => done(server));
  },
};
const begin = frameworks[framework] ?? frameworks.express;

/** Microseconds of processor time since the start. */
function time() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function heap() {
  global.gc();
  return process.memoryUsage().heapUsed;
}

const end = result => {
  process.stdout.write(JSON.stringify(result));
  process.exit();
};

if (what === 'start') {
  const before = time();
  begin(1, () => end({ microseconds: time() - before }));
} else if (what === 'routes') {
  // What is loaded and compiled once is not counted
  begin(1, first => {
    first.close();
    const before = { time: time(), heap: heap() };
    const started = time();
    begin(Number(count), server => measureRoutes(server, time() - started, before.heap));
  });
} else {
  begin(1, server => {
    server.keepAliveTimeout = 0;
    process.send(server.address().port);
    process.on('message', () => process.send(heap()));
    process.on('disconnect', () => process.exit());
  });
}

/** Milliseconds of requests before, and during, the measurement. */
const WARM_UP = 400;
const MEASURED = 400;

function measureRoutes(server, microseconds, heapBefore) {
  const { connect, receive } = require('../http/memory-connection.cjs');
  const connection = connect(server);
  const text = `GET /r${count - 1}/42 HTTP/1.1\r\nHost: a\r\n\r\n`;
  // The first request builds what is built on demand
  receive(connection, text, 1, first => {
    const bytes = heap() - heapBefore;
    repeat(WARM_UP, () => repeat(MEASURED, each => end({ microseconds, first, bytes, each })));
  });
  function repeat(milliseconds, done) {
    let used = 0;
    let requests = 0;
    const more = nanoseconds => {
      used += nanoseconds;
      requests++;
      if (used < milliseconds * 1e6)
        receive(connection, text, 10, each => ((requests += 9), more(each * 10)));
      else done(used / requests);
    };
    receive(connection, text, 1, more);
  }
}
