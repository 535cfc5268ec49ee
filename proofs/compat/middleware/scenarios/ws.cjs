/** ws on the server of an application: upgrade handlers add members to requests. */
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');
const http = require('node:http');
const { visit } = require('../support/visit.cjs');

/**
 * Members that applications set on a request in an upgrade handler; most have the name of a getter of the framework.
 */
const MEMBERS = [
  ...['ip', 'path', 'query', 'protocol', 'hostname', 'secure', 'xhr', 'app', 'user', 'params', 'route'],
];

module.exports = {
  packages: ['ws'],
  exercised:
    'http.createServer(app) and app.listen: plain requests before and after upgrades, upgrade handlers that set req.ip, req.path, req.query and the like, noServer, server and path options, rejections written by hand, a session middleware run by an upgrade handler, checkContinue',

  async run({ listen, request, note }) {
    const express = require('express');
    const made = {
      'http.createServer': app => http.createServer(app),
      'app.listen': app => app.listen(0, '127.0.0.1'),
      'on request': app => http.createServer().on('request', app),
    };
    const record = {};
    for (const [name, make] of Object.entries(made)) {
      const app = application(express);
      const server = make(app);
      if (!server.listening && name !== 'app.listen') await listen(server);
      else if (!server.listening) await once(server, 'listening');
      record[name] = await talkTo(request, server, app, (...what) => note(name, ...what));
      if (name === 'app.listen') server.close();
    }
    const [first] = record['http.createServer'].sockets;
    assert.deepEqual(first, ['hello 127.0.0.1 /chat', 'echo x']);
    return record;
  },
};

function application(express) {
  const app = express();
  app.get('/', (req, res) => res.json({ ip: req.ip, path: req.path, secure: req.secure, user: req.user }));
  app.put('/', express.text(), (req, res) => res.send(req.body));
  return app;
}

async function talkTo(request, server, app, note) {
  const { WebSocket, WebSocketServer } = require('ws');
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('connection', (socket, req) => {
    socket.send(`hello ${req.ip} ${req.path}`);
    socket.on('message', data => socket.send(`echo ${data}`));
  });
  server.on('upgrade', (req, socket, head) => {
    note(
      'upgrade',
      req.url,
      own(req),
      typeof req.get,
      Object.getPrototypeOf(req) === http.IncomingMessage.prototype,
    );
    if (req.url === '/refused') return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    give(req, note);
    return sockets.handleUpgrade(req, socket, head, client => sockets.emit('connection', client, req));
  });
  server.on('checkContinue', (req, res) => {
    note('checkContinue');
    give(req, note);
    res.writeContinue();
    app(req, res);
  });
  const { port } = server.address();
  const seen = [];
  const socket = (path, messages) => talk(WebSocket, port, path, messages);
  const chats = [await socket('/chat', ['x'])];
  seen.push(await visit(request, server, ['GET /', 'GET /']));
  chats.push(await socket('/chat', ['y', 'z']), await socket('/refused', []));
  seen.push(await visit(request, server, ['GET /', 'GET /none']));
  const continued = await putExpecting(port);
  seen.push(await visit(request, server, ['GET /']));
  chats.push(await socket('/chat?again', ['w']));
  return { sockets: chats, seen, continued };
}

/** Sets every member with a plain assignment in strict mode; notes those that threw. */
function give(req, note) {
  const failed = [];
  for (const name of MEMBERS) {
    try {
      req[name] = name === 'ip' ? '127.0.0.1' : name === 'path' ? req.url.split('?')[0] : `my ${name}`;
      if (!Object.hasOwn(req, name)) failed.push(`${name} is not its own`);
    } catch (error) {
      failed.push(`${name}: ${error.message}`);
    }
  }
  note('given', failed);
}

const own = req => MEMBERS.filter(name => name in req);

/** Exchanges messages over a socket; resolves with everything received. */
async function talk(WebSocket, port, path, messages) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  const seen = [];
  socket.on('message', data => {
    seen.push(String(data));
    if (seen.length === messages.length + 1) socket.close(1000);
  });
  socket.on('error', error => seen.push(error.message));
  socket.on('open', () => messages.forEach(message => socket.send(message)));
  await new Promise(resolve => socket.on('close', resolve));
  return seen;
}

/** Sends a request that waits for `100 Continue` before sending its body. */
function putExpecting(port) {
  return new Promise((resolve, reject) => {
    const headers = {
      Host: 'localhost',
      Expect: '100-continue',
      'Content-Type': 'text/plain',
      'Content-Length': 4,
    };
    const outgoing = http.request(
      { port, host: '127.0.0.1', method: 'PUT', path: '/', headers },
      incoming => {
        let body = '';
        incoming.setEncoding('utf8').on('data', chunk => (body += chunk));
        incoming.on('end', () => resolve(`${incoming.statusCode} ${body}`));
      },
    );
    outgoing.on('continue', () => outgoing.end('body')).on('error', reject);
    outgoing.flushHeaders();
  });
}
