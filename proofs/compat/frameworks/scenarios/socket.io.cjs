/** Socket.io on the same server as an application: it handles its own path, and the application all others. */
'use strict';
const assert = require('node:assert/strict');
const http = require('node:http');
const { client, field } = require('../support/client.cjs');

module.exports = {
  packages: ['socket.io', 'socket.io-client'],
  exercised:
    'attached to the server of an application: polling, upgrade to WebSocket, rooms, acknowledgements, middleware of the application as middleware of the engine, the served client bundle, HTTP beside it',
  timeout: 30,
  express: [4, 5],
  async run({ listen, request }) {
    const record = {};
    for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
      record[transports.join(' then ')] = await talk(listen, request, transports);
    }
    assert.equal(record.polling.greeting, 'hello polling');
    assert.equal(record['polling then websocket'].transport, 'websocket');
    assert.equal(record.websocket.refused, 'no entry');
    return record;
  },
};

async function talk(listen, request, transports) {
  const express = require('express');
  const { Server } = require('socket.io');
  const app = express();
  const server = http.createServer(app);
  const io = new Server(server, { cors: { origin: 'http://example.test' } });
  app.use((req, res, next) => {
    res.setHeader('X-Application', req.originalUrl);
    next();
  });
  app.get('/', (req, res) => res.send(`connected: ${req.app.get('io').engine.clientsCount}`));
  app.post('/news', express.json(), (req, res) => {
    io.to('readers').emit('news', req.body);
    res.sendStatus(202);
  });
  app.set('io', io);
  const seenByEngine = [];
  // Engine.IO middleware gets plain requests and responses: this shows what Express's middleware does with them
  if (express.query) io.engine.use(express.query()); // Express 5 does not have it
  io.engine.use((req, res, next) => {
    seenByEngine.push(`${req.method} ${req.query?.EIO} ${req.query?.transport}`);
    next();
  });
  io.use((socket, next) => next(socket.handshake.auth.name === 'bad' ? new Error('no entry') : undefined));
  io.on('connection', socket => {
    socket.on('hello', (name, answer) => answer(`hello ${name}`));
    socket.join('readers');
  });
  await listen(server);
  const see = client(request, server);
  const url = `http://127.0.0.1:${server.address().port}`;

  const socket = require('socket.io-client')(url, { transports, auth: { name: 'good' } });
  const upgraded =
    transports.length === 1
      ? undefined
      : once(socket.io, 'open').then(() => once(socket.io.engine, 'upgrade'));
  await once(socket, 'connect');
  await upgraded;
  const greeting = await socket.emitWithAck('hello', transports[0]);
  const news = once(socket, 'news');
  const record = {
    greeting,
    transport: socket.io.engine.transport.name,
    page: await see('GET /'),
    posted: await see('POST /news', { json: { title: 'news' } }),
    news: await news,
    bundle: summary(await see('GET /socket.io/socket.io.min.js')),
    unknownTransport: await see('GET /socket.io/?EIO=4&transport=pigeon'),
    cors: await see('OPTIONS /socket.io/?EIO=4&transport=polling', {
      headers: { Origin: 'http://example.test' },
    }),
    missing: await see('GET /nothing'),
  };
  socket.close();
  const bad = require('socket.io-client')(url, { transports, auth: { name: 'bad' } });
  record.refused = (await once(bad, 'connect_error')).message;
  bad.close();
  record.engine = [...new Set(seenByEngine)].sort();
  await io.close();
  return record;
}

function summary(answer) {
  assert.match(answer.body, /Socket\.IO/);
  assert.match(field(answer, 'Content-Type'), /javascript/);
  return { ...answer, body: answer.body.length };
}

function once(emitter, event) {
  return new Promise(resolve => void emitter.once(event, resolve));
}
