/**
 * One application on two servers: HTTPS serves it, HTTP only redirects to HTTPS. The certificate in this folder is for
 * `localhost` and for this example only; get a real one from a certificate authority.
 */
'use strict';
const fs = require('node:fs');
const http = require('node:http');
const https = require('node:https');
const path = require('node:path');
const web = require('ristretto');

const app = web();

app.use((req, res, next) => {
  if (req.secure) return next();
  // Never redirect to a host that the client has sent: it may be any host.
  res.redirect(308, `https://localhost:${req.app.get('https port')}${req.originalUrl}`);
});
app.get('/', (req, res) => res.json({ protocol: req.protocol, secure: req.secure }));

/** Starts both servers; resolves with them once they listen. */
async function start(httpPort, httpsPort) {
  const servers = [
    http.createServer(app),
    https.createServer(
      {
        key: fs.readFileSync(path.join(__dirname, 'localhost-key.pem')),
        cert: fs.readFileSync(path.join(__dirname, 'localhost-cert.pem')),
      },
      app,
    ),
  ];
  await Promise.all(
    servers.map((server, index) => {
      const listening = new Promise((resolve, reject) =>
        server.once('listening', resolve).once('error', reject),
      );
      server.listen(index === 0 ? httpPort : httpsPort);
      return listening;
    }),
  );
  app.set('https port', servers[1].address().port);
  return servers;
}

module.exports = Object.assign(app, { start });
if (require.main === module) {
  const { PORT = 3000, HTTPS_PORT = 3443 } = process.env;
  start(PORT, HTTPS_PORT).then(
    () => console.log(`http://localhost:${PORT} and https://localhost:${HTTPS_PORT}`),
    err => {
      console.error(err.message);
      process.exitCode = 1;
    },
  );
}
