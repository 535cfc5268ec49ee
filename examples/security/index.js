/** The usual middleware in front of an application: logging, security headers, CORS and compression. */
'use strict';
const web = require('ristretto');
const compression = require('compression');
const cors = require('cors');
const helmet = require('helmet');
const morgan = require('morgan');

/** Creates the application; `log` receives the lines of the access log. */
function makeApp(log = line => process.stdout.write(line)) {
  const app = web();
  app.disable('x-powered-by');

  app.use(morgan(':method :url :status :res[content-length]', { stream: { write: log } }));
  app.use(helmet()); // Content-Security-Policy, Strict-Transport-Security, X-Content-Type-Options and more
  app.use(compression({ threshold: 1024 }));

  app.get('/', (req, res) => res.send('<!doctype html><title>Safe</title><p>See my headers.</p>'));

  // Pages of one other site may read this, and their preflight requests are handled.
  const partner = cors({ origin: 'https://partner.example', methods: ['GET', 'PUT'], maxAge: 600 });
  app.options('/shared', partner);
  app.get('/shared', partner, (req, res) => res.json({ text: 'shared '.repeat(1000) }));
  return app;
}

const app = makeApp();
module.exports = Object.assign(app, { makeApp });
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
