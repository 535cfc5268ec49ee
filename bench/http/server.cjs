/**
 * Runs one framework with one scenario in this process, and sends its port to the parent. Argument: a JSON description.
 */
const { Duplex } = require('node:stream');
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

/** Nanoseconds of processor time since the start. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** A connection without a network: reads what is pushed, and discards what is written. */
class MemoryConnection extends Duplex {
  responses = 0;
  constructor() {
    super({ decodeStrings: false });
  }
  _read() {}
  _write(chunk, encoding, done) {
    if (chunk.toString('latin1', 0, 8).startsWith('HTTP/1.1')) this.responses++;
    done();
  }
  setTimeout() {
    return this;
  }
}

let connection;

/**
 * Receives a request many times, each in its own turn of the event loop, on a connection in memory. Calls `done` with the
 * nanoseconds of processor time for each request.
 */
function receive(text, requests, done) {
  if (connection === undefined) server.emit('connection', (connection = new MemoryConnection()));
  const bytes = Buffer.from(text);
  const last = connection.responses + requests;
  let left = requests;
  const before = processorTime();
  turn();
  function turn() {
    if (left-- > 0) connection.push(bytes);
    else if (connection.responses === last) return done((processorTime() - before) / requests);
    setImmediate(turn);
  }
}

process.on('message', message => {
  if (typeof message === 'object') receive(message.text, message.requests, ns => process.send(ns));
  if (message === 'processor time') process.send(processorTime());
  if (message === 'memory') {
    global.gc?.();
    process.send(process.memoryUsage());
  }
  if (message === 'allocated') {
    global.gc();
    process.send(collections === undefined ? 0 : allocated(collections.stop()));
    collections = new GCProfiler();
    collections.start();
    global.gc();
  }
  // Idle connections must stay open.
  if (message === 'patience') {
    server.keepAliveTimeout = 0;
    process.send('patience');
  }
});
process.on('disconnect', () => process.exit());
