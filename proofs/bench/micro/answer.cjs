/**
 * Benchmarks a response from the handler to the socket, with Node's own messages, but without parser and network: the
 * socket is a stream that discards what is written.
 *
 *     node proofs/bench/micro/answer.cjs [folder of a build to compare with]
 */
const http = require('node:http');
const { Writable } = require('node:stream');
const { compare } = require('./measure.cjs');

const value = { hello: 'world' };
const text = 'x'.repeat(500);
const bytes = Buffer.from(text);
const page = 'ä'.repeat(500);

/** Headers that security middleware sets. */
const fields = Object.entries({
  'Content-Security-Policy': "default-src 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
});

const handlers = {
  'json, 17 bytes': res => res.json(value),
  'send, object': res => res.send(value),
  'send, text': res => res.send(text),
  'send, text beyond ASCII': res => res.send(page),
  'send, bytes': res => res.send(bytes),
  'end, text': res => res.end(text),
  'nine fields, one removed, json': res => {
    for (const [name, content] of fields) res.setHeader(name, content);
    res.removeHeader('X-Powered-By');
    res.json(value);
  },
  'writeHead patched, json': res => {
    const { writeHead } = res;
    res.writeHead = function (...args) {
      return writeHead.apply(this, args);
    };
    res.json(value);
  },
  status: res => res.sendStatus(404),
};

class Forgetful extends Writable {
  constructor() {
    super({ decodeStrings: false, write: (chunk, encoding, done) => done() });
  }
  setTimeout() {
    return this;
  }
}

/** Returns the classes that a server of the application creates its messages with. */
function classesOf(load, app) {
  const server = http.createServer(app);
  load('../../engine/lib/serving/http1/attach').attachHttp1(app, server);
  const values = Object.getOwnPropertySymbols(server).map(symbol => [symbol.description, server[symbol]]);
  return Object.fromEntries(values);
}

const prepare = handle => load => {
  const app = load()();
  app.get('/', (req, res) => handle(res));
  const { IncomingMessage, ServerResponse } = classesOf(load, app);
  const socket = new Forgetful();
  return () => {
    const req = new IncomingMessage(socket);
    Object.assign(req, {
      method: 'GET',
      url: '/',
      httpVersion: '1.1',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
    });
    req.headers = { host: 'a' };
    const res = new ServerResponse(req);
    res.shouldKeepAlive = true;
    res.assignSocket(socket);
    app(req, res);
    res.detachSocket(socket);
  };
};

compare(Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, prepare(handle)])));
