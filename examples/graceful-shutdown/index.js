/** Stopping without losing a request: what is under way is finished, within a deadline. */
'use strict';
const web = require('ristretto');

const app = web();
let stopping = false;

// A load balancer asks this, and sends no more requests once it fails.
app.get('/healthz', (req, res) => res.sendStatus(stopping ? 503 : 200));
app.get('/slow', (req, res) => {
  setTimeout(() => res.send('done'), 200);
});

module.exports = app;
if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => console.log(`port ${server.address().port}`));
  web
    .stopOnSignals(server, {
      // All goes on for this long, but for the health check: the balancer takes notice.
      delay: 500,
      // Then no more connections are accepted, and those that a proxy keeps may be used once more for this long.
      drain: 100,
      // What has not ended by then is cut off.
      deadline: 10_000,
      onStop: () => (stopping = true),
    })
    .then(report => console.log('stopped', report));
}
