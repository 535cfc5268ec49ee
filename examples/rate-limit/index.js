/** Limits the number of requests per minute for each client (express-rate-limit). */
'use strict';
const web = require('ristretto');
const { rateLimit } = require('express-rate-limit');

const app = web();

// Behind one proxy, the client is the last address that this proxy has added to X-Forwarded-For. Set the exact number
// of proxies: with `true`, clients could pretend to have a new address for each request.
app.set('trust proxy', 1);

app.use(
  '/api',
  rateLimit({ windowMs: 60_000, limit: 100, standardHeaders: 'draft-8', legacyHeaders: false }),
);

// Logging in is limited more strictly, and only failed attempts count.
app.post(
  '/login',
  rateLimit({
    windowMs: 60_000,
    limit: 3,
    skipSuccessfulRequests: true,
    message: { error: 'too many attempts' },
  }),
  web.json({ limit: '1kb' }),
  (req, res) => res.sendStatus(req.body.password === 'sesame' ? 204 : 401),
);

app.get('/api/time', (req, res) => res.json({ ip: req.ip, time: new Date(0) }));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/api/time`));
}
