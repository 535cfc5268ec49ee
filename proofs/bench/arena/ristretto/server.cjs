/**
 * Starts the application in one process for each core: HTTP/1.1 and WebSockets on 8080, and with a certificate HTTPS on 8081 and
 * HTTP/2 on 8443. `DATABASE_URL` is a PostgreSQL database, for the profiles that need one.
 */
const cluster = require('node:cluster');
const fs = require('node:fs');
const https = require('node:https');
const os = require('node:os');
const pg = require('pg');
const web = require('ristretto');
const compression = require('@ristretto/compression');
const build = require('./app.cjs');

const {
  DATA = '/data',
  CERTIFICATES = '/certs',
  PORT = '8080',
  TLS_PORT = '8081',
  HTTP2_PORT = '8443',
  DATABASE_URL,
  DATABASE_MAX_CONN = '64',
} = process.env;
const workers = os.availableParallelism();

/** Returns this worker's share of the connections to the database, if there is one. */
function openPool() {
  if (!DATABASE_URL) return undefined;
  const max = Math.max(1, Math.floor(Number(DATABASE_MAX_CONN) / workers));
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max });
  // Without a listener, the error of an idle connection that broke would end the process.
  pool.on('error', error => console.error(`database: ${error.message}`));
  return pool;
}

if (cluster.isPrimary) {
  for (let i = 0; i < workers; i++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
} else {
  const items = JSON.parse(fs.readFileSync(`${DATA}/dataset.json`, 'utf8'));
  const app = build(web, { items, folder: `${DATA}/static`, compression, pool: openPool() });
  app.listen(Number(PORT));
  if (fs.existsSync(CERTIFICATES)) {
    const key = fs.readFileSync(`${CERTIFICATES}/server.key`);
    const cert = fs.readFileSync(`${CERTIFICATES}/server.crt`);
    https.createServer({ key, cert }, app).listen(Number(TLS_PORT));
    app.listen({ http2: true, port: Number(HTTP2_PORT), key, cert });
  }
}
