/** Errors: thrown, passed to `next`, or rejected, they all end in the error handlers. */
'use strict';
const web = require('ristretto');

const app = web();

// Any of the three ways will do. The third needs no wrapper: the promise of a handler is watched.
app.get('/thrown', () => {
  throw new Error('thrown');
});
app.get('/passed', (req, res, next) => {
  setImmediate(() => next(new Error('passed on')));
});
app.get('/rejected', async () => {
  await Promise.reject(new Error('rejected'));
});

// A `status` on the error says what to answer.
app.get('/teapot', () => {
  throw Object.assign(new Error('short and stout'), { status: 418 });
});

// The answer has begun, so the best that can be done is to cut the connection: the client must not think it is whole.
app.get('/half', (req, res) => {
  res.write('half of the answer');
  throw new Error('too late for an error page');
});

// An error handler has four parameters, and comes last. More than one may share the work.
app.use((err, req, res, next) => {
  if (err.status === undefined) console.error(err.message);
  next(err);
});
app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status ?? 500;
  // Messages of our own mistakes are nobody's business but ours.
  res.status(status).json({ error: status < 500 ? err.message : 'something went wrong' });
});

module.exports = app;
if (require.main === module) app.listen(3000, () => console.log('http://localhost:3000'));
