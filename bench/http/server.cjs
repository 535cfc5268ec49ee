/**
 * Runs one framework with one scenario in this process, and sends its port to the parent. Argument: a JSON description.
 */
const { GCProfiler } = require('node:v8');

const { framework, scenario, files, payload } = JSON.parse(process.argv[2]);
const others = require('./frameworks/others.cjs');
const context = { folder: files, ...payload };

async function start() {
  switch (framework) {
    case 'bare':
    case 'again':
    case 'bare-headers':
      return require('./frameworks/bare.cjs')(scenario, context, framework === 'bare-headers');
    case 'ristretto':
    case 'ristretto5':
    case 'ristretto+':
    case 'ristretto5+': {
      const web = require(`../../packages/${framework.replace('+', '')}`);
      return require('./frameworks/express-like.cjs')(web, scenario, context, framework.endsWith('+'));
    }
    case 'express4':
    case 'express5':
      return require('./frameworks/express-like.cjs')(require(framework), scenario, context);
    case 'fastify':
      return require('./frameworks/fastify.cjs')(scenario, context);
    default:
      return others[framework].build(scenario, context);
  }
}

let server;
let collections;

start().then(started => {
  server = started;
  const tell = () => process.send({ port: server.address().port });
  if (server.listening) tell();
  else server.on('listening', tell);
});
/**
 * Returns the bytes allocated between the collections of a profile: the difference between the heap before each and
 * after the previous one.
 */
function allocated({ statistics }) {
  let bytes = 0;
  let left;
  for (const { beforeGC, afterGC } of statistics) {
    if (left !== undefined) bytes += beforeGC.heapStatistics.usedHeapSize - left;
    left = afterGC.heapStatistics.usedHeapSize;
  }
  return bytes;
}

process.on('message', message => {
  if (message === 'processor time') {
    const { user, system } = process.cpuUsage();
    process.send((user + system) * 1000);
  }
  if (message === 'memory') {
    global.gc?.();
    process.send(process.memoryUsage());
  }
  if (message === 'allocated') {
    process.send(collections === undefined ? 0 : allocated(collections.stop()));
    collections = new GCProfiler();
    collections.start();
  }
  // Idle connections must stay open.
  if (message === 'patience') {
    server.keepAliveTimeout = 0;
    process.send('patience');
  }
});
process.on('disconnect', () => process.exit());
