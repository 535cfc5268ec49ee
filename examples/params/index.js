/** `app.param`: load what a parameter refers to, once, before the routes with that parameter. */
'use strict';
const web = require('ristretto');

const users = new Map([
  ['1', { name: 'Ada', langs: ['en'] }],
  ['2', { name: 'Grace', langs: ['en', 'cobol'] }],
]);

const app = web();

// Runs once per request, even if several routes with `:user` match.
app.param('user', (req, res, next, id) => {
  const user = users.get(id);
  if (!user) return res.status(404).send('no such user');
  res.locals.user = user;
  next();
});

// It may be asynchronous: if its promise rejects, the error goes to the error handlers.
app.param('page', async (req, res, next, text) => {
  const page = await Promise.resolve(Number(text));
  if (!Number.isInteger(page) || page < 1)
    throw Object.assign(new Error('a bad page number'), { status: 400 });
  res.locals.page = page;
  next();
});

app.get('/users/:user', (req, res) => res.json(res.locals.user));
app.get('/users/:user/pages/:page', (req, res) => {
  res.send(`page ${res.locals.page} of ${res.locals.user.name}`);
});

app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  res.status(err.status ?? 500).send(err.message);
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/users/1`));
}
