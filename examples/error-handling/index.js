/** Errors: thrown, passed to `next` or rejected, they all reach the error handlers. */
'use strict';
const web = require('ristretto');

const app = web();

app.get('/', (req, res) => res.send('Try /thrown, /passed, /rejected, /teapot and /half'));

// All three ways work. The third needs no wrapper: the framework handles the promise that a handler returns.
app.get('/thrown', () => {
  throw new Error('thrown');
});
app.get('/passed', (req, res, next) => {
  setImmediate(() => next(new Error('passed on')));
});
app.get('/rejected', async () => {
  await Promise.reject(new Error('rejected'));
});

// The `status` of the error becomes the status of the response.
app.get('/teapot', () => {
  throw Object.assign(new Error('short and stout'), { status: 418 });
});

// The response has begun, so the framework closes the connection: the client must not consider it complete.
app.get('/half', (req, res) => {
  res.write('half of the answer');
  throw new Error('too late for an error page');
});

// An error handler has four parameters, and comes last. Several can share the work.
app.use((err, req, res, next) => {
  if (err.status === undefined) console.error(err.message);
  next(err);
});
app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status ?? 500;
  // Messages of internal errors are not sent to clients.
  res.status(status).json({ error: status < 500 ? err.message : 'something went wrong' });
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
