/** Stopping without losing a request: in-flight requests finish, within a timeout. */
'use strict';
const web = require('ristretto');

const app = web();

// A load balancer polls /readyz, and sends no more requests once it is 503.
app.use(web.health());
app.get('/slow', (req, res) => {
  setTimeout(() => res.send('done'), 200);
});

module.exports = app;
if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => {
    console.log(`http://localhost:${server.address().port}/slow`);
  });
  web
    .stopOnSignals(server, {
      // Milliseconds during which everything continues, except that /readyz is 503, so that the load balancer notices.
      delay: 500,
      // New connections are then refused. During this time, a proxy may use each keep-alive connection once more.
      drain: 100,
      // Connections that are still open by then are closed.
      timeout: 10_000,
    })
    .then(report => console.log('stopped', report));
}
