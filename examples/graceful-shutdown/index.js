/** Stopping without losing a request: no new connections, those under way are finished, and a deadline. */
'use strict';
const web = require('ristretto');

const app = web();
let stopping = false;

// A load balancer asks this, and sends no more requests once it fails.
app.get('/healthz', (req, res) => res.sendStatus(stopping ? 503 : 200));
app.get('/slow', (req, res) => {
  setTimeout(() => res.send('done'), 200);
});

/** Stops `server`; resolves when the last request is answered, or `deadline` milliseconds have passed. */
function stop(server, deadline = 10_000) {
  stopping = true;
  return new Promise(resolve => {
    const timer = setTimeout(() => server.closeAllConnections(), deadline);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    // Connections that wait for a next request would keep the server open.
    server.closeIdleConnections();
  });
}

module.exports = Object.assign(app, { stop });
if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => console.log(`port ${server.address().port}`));
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => stop(server).then(() => console.log('stopped')));
  }
}
