/** Socket.IO beside WebSockets of the application on one server, in each order in which they can be set up. */
'use strict';
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const http = require('node:http');
const { once } = require('node:events');

module.exports = {
  packages: ['socket.io', 'socket.io-client', 'ws'],
  exercised:
    'beside WebSockets of the application on one server (`app.ws` here, `ws` on Express), set up before and after them, on servers of app.listen and http.createServer: messages of both, pages, an upgrade that neither handles',
  timeout: 30,
  express: [4, 5],
  // The package `ws` of a program is found beside its main file.
  subprocess: true,
  run() {
    const record = JSON.parse(execFileSync(process.execPath, [__filename], { encoding: 'utf8' }));
    assert.deepEqual(record['route, then Socket.IO'], {
      page: 'page',
      greeting: 'hello Ada',
      echo: 'echo one',
      again: 'hello Bob',
      unknown: 'socket hang up',
    });
    return record;
  },
};

const ORDERS = {
  'route, then Socket.IO': app => {
    const server = app.listen(0, '127.0.0.1');
    addEcho(app, server);
    return { server, io: attach(server) };
  },
  'Socket.IO, then route': app => {
    const server = app.listen(0, '127.0.0.1');
    const io = attach(server);
    addEcho(app, server);
    return { server, io };
  },
  'http.createServer': app => {
    const server = http.createServer(app).listen(0, '127.0.0.1');
    const io = attach(server);
    addEcho(app, server);
    return { server, io };
  },
};

async function main() {
  const record = {};
  for (const [order, setUp] of Object.entries(ORDERS)) record[order] = await talk(setUp);
  console.log(JSON.stringify(record));
}

/** Attaches Socket.IO, which ends an upgrade that nothing has responded to after 100 ms. */
function attach(server) {
  const { Server } = require('socket.io');
  const io = new Server(server, { destroyUpgradeTimeout: 100 });
  io.on('connection', socket => {
    socket.on('hello', (name, answer) => answer(`hello ${name}`));
  });
  return io;
}

/** Adds a WebSocket that sends each message back: a route where there are any, and otherwise with `ws`. */
function addEcho(app, server) {
  const echo = socket => socket.on('message', data => socket.send(`echo ${data}`));
  if (typeof app.ws === 'function') {
    app.ws('/echo', echo);
    return;
  }
  const { WebSocketServer } = require('ws');
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (req, socket, head) => {
    if (req.url === '/echo') sockets.handleUpgrade(req, socket, head, echo);
  });
}

async function talk(setUp) {
  const WebSocket = require('ws');
  const { io: connect } = require('socket.io-client');
  const app = require('express')();
  app.get('/', (req, res) => res.send('page'));
  const { server, io } = setUp(app);
  if (!server.listening) await once(server, 'listening');
  const address = `127.0.0.1:${server.address().port}`;

  // With http.createServer, the first request makes the server known to the application.
  const page = await fetch(`http://${address}/`).then(response => response.text());
  const first = connect(`http://${address}`, { transports: ['websocket'] });
  await once(first, 'connect');
  const greeting = await first.emitWithAck('hello', 'Ada');
  const socket = new WebSocket(`ws://${address}/echo`);
  await once(socket, 'open');
  socket.send('one');
  const [echo] = await once(socket, 'message');
  const unknown = new WebSocket(`ws://${address}/unknown`);
  const [error] = await once(unknown, 'error');
  const second = connect(`http://${address}`, { transports: ['polling', 'websocket'], forceNew: true });
  await once(second, 'connect');
  const again = await second.emitWithAck('hello', 'Bob');
  first.close();
  second.close();
  socket.close();
  await once(socket, 'close');
  await io.close();
  return { page, greeting, echo: String(echo), again, unknown: error.message };
}

if (require.main === module) void main();
