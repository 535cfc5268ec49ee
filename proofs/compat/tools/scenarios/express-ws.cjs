/** express-ws: WebSockets as routes of the application and of routers. */
'use strict';

const assert = require('node:assert/strict');
const { once } = require('node:events');

/** Exchanges messages over a socket; resolves with everything received, and how it ended. */
async function talk(WebSocket, port, path, messages, options = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options.protocols ?? [], {
    headers: options.headers,
  });
  const seen = [];
  socket.on('message', data => {
    seen.push(String(data));
    if (seen.length === messages.length) socket.close(1000);
  });
  socket.on('unexpected-response', (req, res) => {
    seen.push(`status ${res.statusCode}`);
    socket.terminate();
  });
  socket.on('error', error => seen.push(error.message));
  socket.on('open', () => {
    for (const message of messages) socket.send(message);
    if (messages.length === 0) seen.push('open');
  });
  const [code] = await once(socket, 'close');
  return { seen, code };
}

module.exports = {
  packages: ['express-ws', 'ws'],
  exercised:
    'app.ws and router.ws (applyTo, leaveRouterUntouched), middleware and parameters before sockets, req in the ' +
    'handler, next() past the last socket route, errors, plain routes beside them, getWss and broadcast, a given server.',
  quick: true,
  override: true,

  async run({ listen, request, note }) {
    const http = require('node:http');
    const WebSocket = require('ws');
    const express = require('express');
    const expressWs = require('express-ws');
    const app = express();
    app.set('env', 'production');
    const { getWss, applyTo } = expressWs(app, undefined, { wsOptions: { clientTracking: true } });
    app.use((req, res, next) => {
      req.marked = req.headers['x-mark'] ?? 'none';
      next();
    });
    app.param('room', (req, res, next, room) => (room === 'closed' ? next(new Error('closed')) : next()));
    app.ws('/echo', (socket, req) => {
      note('echo', req.url, req.originalUrl, req.query, req.marked, req.method);
      socket.on('message', message => socket.send(`echo ${message}`));
    });
    app.ws('/rooms/:room', function join(socket, req) {
      socket.on('message', message => {
        for (const client of getWss().clients) client.send(`${req.params.room}: ${message}`);
      });
    });
    app.ws(
      '/guarded',
      (socket, req, next) => (req.marked === 'ok' ? next() : socket.close(4001)),
      socket => socket.on('message', message => socket.send(`guarded ${message}`)),
    );
    app.get('/echo', (req, res) => res.send('plain'));
    const router = express.Router();
    if (!router.ws) applyTo(router); // Express 5 has a different router prototype
    router.ws('/in/:id', (socket, req) =>
      socket.on('message', () => socket.send(`${req.baseUrl} ${req.params.id}`)),
    );
    router.get('/in/:id', (req, res) => res.send('plain in router'));
    app.use('/router', router);
    app.ws('/throws', () => {
      throw new Error('thrown in a socket');
    });
    app.use((error, req, res, next) => {
      note('error', req.url, error.message, typeof res.send);
      res.status(500).send(error.message);
    });
    const server = await listen(app);
    const { port } = server.address();
    const sockets = {
      echo: await talk(WebSocket, port, '/echo?a=1', ['x', 'y'], { headers: { 'x-mark': 'yes' } }),
      room: await talk(WebSocket, port, '/rooms/tea', ['hello']),
      closed: await talk(WebSocket, port, '/rooms/closed', ['hello']),
      guarded: await talk(WebSocket, port, '/guarded', ['m'], { headers: { 'x-mark': 'ok' } }),
      refused: await talk(WebSocket, port, '/guarded', ['m', 'never']),
      router: await talk(WebSocket, port, '/router/in/5', ['m']),
      missing: await talk(WebSocket, port, '/missing', ['m']),
      throws: await talk(WebSocket, port, '/throws', ['m']),
      protocol: await talk(WebSocket, port, '/echo', ['p'], { protocols: ['chat'] }),
    };
    const plain = [await request(server, { path: '/echo' }), await request(server, { path: '/router/in/5' })];
    // The route that represents the socket is an ordinary route.
    const disguised = await request(server, { path: '/echo/.websocket' });

    const other = express();
    const given = http.createServer(other);
    const instance = expressWs(other, given, { leaveRouterUntouched: true });
    const bare = express.Router();
    instance.applyTo(bare);
    bare.ws('/', socket => socket.on('message', message => socket.send(`given ${message}`)));
    other.use('/applied', bare);
    await listen(given);
    sockets.given = await talk(WebSocket, given.address().port, '/applied', ['z']);

    assert.deepEqual(sockets.echo, { seen: ['echo x', 'echo y'], code: 1000 });
    assert.deepEqual(sockets.router, { seen: ['/router 5'], code: 1000 });
    assert.deepEqual(sockets.given, { seen: ['given z'], code: 1000 });
    assert.equal(sockets.refused.code, 4001);
    return { sockets, plain, disguised };
  },
};
