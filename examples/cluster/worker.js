/** The application that each worker runs: `node examples/cluster` starts several of these on one port. */
'use strict';
const cluster = require('node:cluster');
const web = require('ristretto');

const app = web();

app.use(web.health());
app.get('/', (req, res) => res.json({ worker: process.pid }));
app.post('/slow', (req, res) => {
  setTimeout(() => res.json({ worker: process.pid }), 100);
});

module.exports = app;
if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000);
  const delay = Number(process.env.STOP_DELAY ?? 0);
  Promise.race([
    // All workers stop: /readyz is 503 during the delay, so that the load balancer notices.
    web.stopOnSignals(server, { delay, timeout: delay + 10_000 }),
    // Only this worker is replaced. The port stays open, so there is nothing to notice.
    web.stopOnSignals(server, { signals: ['SIGHUP'], drain: 1000, timeout: 10_000 }),
  ]).then(() => {
    // Close databases here. A worker exits once its channel to the primary is closed, too.
    cluster.worker?.disconnect();
  });
}
