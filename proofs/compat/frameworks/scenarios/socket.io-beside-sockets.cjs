/** Socket.IO beside WebSockets of the application on one server, in each order in which they can be set up. */
'use strict';
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const http = require('node:http');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');

module.exports = {
  packages: ['socket.io', 'socket.io-client', 'ws'],
  exercised:
    'beside WebSockets of the application on one server (`app.ws` here, `ws` on Express), set up before and after them, on servers of app.listen and http.createServer, before and after the first request: messages of both, pages, an upgrade that neither handles',
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
      later: 'echo two',
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
  'http.createServer, route first': app => {
    const server = http.createServer(app);
    addEcho(app, server);
    const io = attach(server);
    server.listen(0, '127.0.0.1');
    return { server, io };
  },
};

async function main() {
  const record = {};
  for (const [order, setUp] of Object.entries(ORDERS)) {
    record[order] = await talk(setUp, [openPage, greet, echo]);
    record[`${order}, echo first`] = await talk(setUp, [echo, greet, openPage]);
    record[`${order}, greeting first`] = await talk(setUp, [greet, echo, openPage]);
  }
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

/**
 * @param setUp creates a server
 * @param steps what clients do, in this order: Socket.IO hides the application from the server until the first request
 */
async function talk(setUp, steps) {
  const app = require('express')();
  app.get('/', (req, res) => res.send('page'));
  const { server, io } = setUp(app);
  if (!server.listening) await once(server, 'listening');
  const address = `127.0.0.1:${server.address().port}`;
  const found = {};
  for (const step of steps) Object.assign(found, await step(address));
  Object.assign(found, await openUnknown(address), await greetAgain(address));
  await io.close();
  return found;
}

async function openPage(address) {
  return { page: await fetch(`http://${address}/`).then(response => response.text()) };
}

async function greet(address) {
  const { io: connect } = require('socket.io-client');
  const client = connect(`http://${address}`, { transports: ['websocket'], forceNew: true });
  await once(client, 'connect');
  const greeting = await client.emitWithAck('hello', 'Ada');
  client.close();
  return { greeting };
}

async function echo(address) {
  const WebSocket = require('ws');
  const socket = new WebSocket(`ws://${address}/echo`);
  await once(socket, 'open');
  socket.send('one');
  const [data] = await once(socket, 'message');
  // Longer than Socket.IO waits before it ends an upgrade.
  await sleep(200);
  socket.send('two');
  const [later] = await once(socket, 'message');
  socket.close();
  await once(socket, 'close');
  return { echo: String(data), later: String(later) };
}

async function openUnknown(address) {
  const WebSocket = require('ws');
  const [error] = await once(new WebSocket(`ws://${address}/unknown`), 'error');
  return { unknown: error.message };
}

async function greetAgain(address) {
  const { io: connect } = require('socket.io-client');
  const client = connect(`http://${address}`, { transports: ['polling', 'websocket'], forceNew: true });
  await once(client, 'connect');
  const again = await client.emitWithAck('hello', 'Bob');
  client.close();
  return { again };
}

if (require.main === module) void main();
