/** Stopping without losing a request: what is under way is finished, within a deadline. */
'use strict';
const web = require('ristretto');

const app = web();

// A load balancer requests /readyz, and sends no more requests once it is 503.
app.use(web.health());
app.get('/slow', (req, res) => {
  setTimeout(() => res.send('done'), 200);
});

module.exports = app;
if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => console.log(`port ${server.address().port}`));
  web
    .stopOnSignals(server, {
      // All goes on for this long, except that /readyz is 503: the load balancer notices.
      delay: 500,
      // Then no more connections are accepted, and those that a proxy keeps may be used once more for this long.
      drain: 100,
      // What has not ended by then is cut off.
      deadline: 10_000,
    })
    .then(report => console.log('stopped', report));
}
