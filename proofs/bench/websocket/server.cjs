/**
 * A server for run.mjs: an echo on WebSockets, by `ws` alone or by `app.ws`, or an application without any. Reports when its parent
 * asks.
 */
const http = require('node:http');

const [kind] = process.argv.slice(2);

/** A handler as applications write it: it uses the request while the socket is open. */
const connect = (socket, req) => {
  socket.on('message', (data, isBinary) => {
    connect.last = req.url;
    socket.send(data, { binary: isBinary });
  });
  socket.on('error', () => undefined);
};

function makeApp() {
  const app = require('../../../packages/ristretto')();
  app.get('/page', (req, res) => res.send('page'));
  return app;
}

const servers = {
  ws() {
    const { WebSocketServer } = require('ws');
    const server = http.createServer((_req, res) => res.end());
    new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 102_400 }).on('connection', connect);
    return server;
  },
  page: () => http.createServer(makeApp()),
  ristretto() {
    const app = makeApp();
    const limits = { maxConnections: Infinity, maxConnectionsPerAddress: Infinity };
    app.ws('/', limits, connect);
    return http.createServer(app);
  },
};

const server = servers[kind]();
server.listen(0, '127.0.0.1', 16_384, () => process.send({ port: server.address().port }));

process.on('message', what => {
  if (what === 'memory') {
    for (let i = 0; i < 4; i++) gc();
    const { heapUsed, rss, external } = process.memoryUsage();
    process.send({ heapUsed, rss, external });
  } else if (what === 'time') {
    const { user, system } = process.cpuUsage();
    process.send({ time: user + system });
  } else if (what === 'snapshot') {
    for (let i = 0; i < 4; i++) gc();
    process.send({ file: require('node:v8').writeHeapSnapshot(`/tmp/${kind}.heapsnapshot`) });
  }
});
