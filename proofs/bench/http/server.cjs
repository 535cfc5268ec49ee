/**
 * Runs one framework with one scenario in this process, and sends its port to the parent. Argument: a JSON description.
 */
const { GCProfiler } = require('node:v8');
const { allocated, connect, processorTime, receive } = require('./memory-connection.cjs');

const { framework, scenario, path, files, payload } = JSON.parse(process.argv[2]);
const context = { folder: files, ...payload };

async function start() {
  if (scenario.startsWith('application: ')) {
    const major = /application: (?:Nest|Apollo)/.test(scenario) ? 'express5' : 'express4';
    const home = /^express$|^again$/.test(framework) ? major : framework;
    return require('./frameworks/applications.cjs')(home, scenario, context);
  }
  if (scenario.startsWith('arena')) return require('./frameworks/arena.cjs')(framework, scenario, context);
  switch (framework) {
    case 'bare':
    case 'again':
    case 'bare-headers':
      return require('./frameworks/bare.cjs')(scenario, context, framework === 'bare-headers');
    case 'ristretto':
    case 'ristretto5':
    case 'ristretto+':
    case 'ristretto5+': {
      const web = require(`../../../packages/${framework.replace('+', '')}`);
      return require('./frameworks/express-like.cjs')(web, scenario, context, framework.endsWith('+'));
    }
    case 'limit':
      return require('./frameworks/limit.cjs')(
        () =>
          require('./frameworks/express-like.cjs')(require('../../../packages/ristretto'), scenario, context),
        path,
        scenario === 'json hello, awaited',
      );
    case 'express4':
    case 'express5':
      return require('./frameworks/express-like.cjs')(require(framework), scenario, context);
    case 'fastify':
      return require('./frameworks/fastify.cjs')(scenario, context);
    default:
      return require('./frameworks/hono.cjs').build(scenario, context);
  }
}

let server;
let collections;
let connection;

start().then(started => {
  server = started;
  const tell = () => process.send({ port: server.address().port });
  if (server.listening) tell();
  else server.on('listening', tell);
});
process.on('message', message => {
  if (typeof message === 'object') {
    connection ??= connect(server);
    receive(connection, message.text, message.requests, nanoseconds => process.send(nanoseconds));
  }
  if (message === 'processor time') process.send(processorTime());
  if (message === 'allocated') {
    global.gc();
    process.send(collections === undefined ? 0 : allocated(collections.stop()));
    collections = new GCProfiler();
    collections.start();
    global.gc();
  }
});
process.on('disconnect', () => process.exit());
