/** Starts the application in one process for each core: HTTP/1.1 on 8080, and with a certificate HTTPS on 8081 and HTTP/2 on 8443. */
const cluster = require('node:cluster');
const fs = require('node:fs');
const https = require('node:https');
const os = require('node:os');
const web = require('ristretto');
const compression = require('@ristretto/compression');
const build = require('./app.cjs');

const {
  DATA = '/data',
  CERTIFICATES = '/certs',
  PORT = '8080',
  TLS_PORT = '8081',
  HTTP2_PORT = '8443',
} = process.env;

if (cluster.isPrimary) {
  for (let i = 0; i < os.availableParallelism(); i++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
} else {
  const items = JSON.parse(fs.readFileSync(`${DATA}/dataset.json`, 'utf8'));
  const app = build(web, { items, folder: `${DATA}/static`, compression });
  app.listen(Number(PORT));
  if (fs.existsSync(CERTIFICATES)) {
    const key = fs.readFileSync(`${CERTIFICATES}/server.key`);
    const cert = fs.readFileSync(`${CERTIFICATES}/server.crt`);
    https.createServer({ key, cert }, app).listen(Number(TLS_PORT));
    app.listen({ http2: true, port: Number(HTTP2_PORT), key, cert });
  }
}
