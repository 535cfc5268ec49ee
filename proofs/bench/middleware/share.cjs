/**
 * Measures the share of a middleware in a request, in microseconds, beside its original:
 *
 *     node proofs/bench/middleware/share.cjs [--rounds=300] [--on=express,ristretto] [name ...]
 *
 * Servers without the middleware, with the original and with ours get short bursts of requests in turn. Node's parser
 * reads them from a stream in memory, so that neither a client nor the network is part of the time.
 */
'use strict';
const http = require('node:http');
const { Duplex } = require('node:stream');
const { readOptions } = require('../../../scripts/options.cjs');
const { stacks } = require('./stacks.cjs');

process.env.NODE_ENV = 'production';
const { values, positionals: names } = readOptions(
  {
    rounds: { type: 'string', default: '300' },
    on: { type: 'string', default: 'express,express5,ristretto,ristretto5,http' },
  },
  { words: true },
);
const rounds = Number(values.rounds);
const frameworks = values.on.split(',');
/** Requests of a burst: about two milliseconds, which other processes rarely interrupt. */
const BURST = 100;
const CLOSING_BRACE = 0x7d;

/** Returns a listener that calls these handlers. */
function application(
  /** @type {string} */ framework,
  /** @type {import('./stacks.cjs').Handler[]} */ handlers,
) {
  if (framework === 'http')
    return (/** @type {any} */ req, /** @type {any} */ res) => {
      const run = (/** @type {number} */ index) => handlers[index]?.(req, res, () => run(index + 1));
      run(0);
    };
  const app = require(framework)();
  for (const handler of handlers) app.use(handler);
  return app;
}

const value = { hello: 'world' };
const respond = (/** @type {any} */ _req, /** @type {any} */ res) => {
  if (res.json) res.json(value);
  else res.end(JSON.stringify(value));
};

/** A connection whose client sends the next request when it has received a response. */
class Connection extends Duplex {
  constructor(/** @type {Buffer} */ request) {
    super();
    this.request = request;
    this.left = 0;
    /** @type {() => void} */
    this.done = () => undefined;
    this.remoteAddress = '127.0.0.1';
  }
  _read() {}
  /** @override */
  _write(/** @type {Buffer} */ chunk, /** @type {string} */ _encoding, /** @type {() => void} */ callback) {
    callback();
    this.received(chunk);
  }
  /** @override */
  _writev(/** @type {{ chunk: Buffer }[]} */ chunks, /** @type {() => void} */ callback) {
    callback();
    // Older versions of Node end a response with an empty write.
    const last = chunks.findLast(({ chunk }) => chunk.length > 0);
    if (last !== undefined) this.received(last.chunk);
  }
  received(/** @type {Buffer} */ chunk) {
    // The original session sends the last byte separately.
    if (chunk.at(-1) !== CLOSING_BRACE) return;
    if (--this.left > 0) setImmediate(() => this.push(this.request));
    else this.done();
  }
  setTimeout() {
    return this;
  }
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
}

/** Returns a function that sends a burst of requests to a listener and resolves with the microseconds of
 * processor time of each. */
function target(
  /** @type {any} */ listener,
  /** @type {Record<string, string>} */ headers,
  /** @type {string | undefined} */ body,
) {
  const server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, listener);
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length }).map(
    ([name, text]) => `${name}: ${text}\r\n`,
  );
  const method = body === undefined ? 'GET' : 'POST';
  const text = `${method} /path HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
  const connection = new Connection(Buffer.from(text));
  server.emit('connection', connection);
  return async () => {
    connection.left = BURST;
    const start = process.cpuUsage();
    await new Promise(resolve => {
      connection.done = () => resolve(undefined);
      connection.push(connection.request);
    });
    const { user, system } = process.cpuUsage(start);
    return (user + system) / BURST;
  };
}

const median = (/** @type {number[]} */ list) => {
  const sorted = [...list].sort((a, b) => a - b);
  return /** @type {number} */ (sorted[sorted.length >> 1]);
};

/** Returns the time of a request without the middleware, and the shares of the original and of ours. */
async function measure(/** @type {string} */ name, /** @type {string} */ framework) {
  const stack = stacks[name];
  if (stack === undefined)
    throw new Error(`No middleware ${name}; there are ${Object.keys(stacks).join(', ')}`);
  const { ours, original = ours, make, headers = {}, body } = stack;
  const targets = [[respond], [make(require(original)), respond], [make(require(ours)), respond]].map(
    handlers => target(application(framework, handlers), headers, body),
  );
  /** @type {number[][]} */
  const times = targets.map(() => []);
  for (let round = -100; round < rounds; round++)
    for (const [index, burst] of targets.entries()) {
      const time = await burst();
      if (round >= 0) times[index]?.push(time);
    }
  const [bare = 0, theirs = 0, own = 0] = times.map(median);
  return [bare, theirs - bare, own - bare];
}

async function main() {
  console.log(`Node ${process.version}, medians of ${rounds} bursts\n`);
  console.log('| middleware | on | request without | original | ours |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const name of names.length === 0 ? Object.keys(stacks) : names)
    for (const framework of frameworks) {
      const figures = (await measure(name, framework)).map(figure => `${figure.toFixed(2)} µs`);
      if (stacks[name]?.original === undefined) figures[1] = '–';
      console.log(`| ${[name, framework, ...figures].join(' | ')} |`);
    }
}
void main();
