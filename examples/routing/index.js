/** Paths and methods: parameters, patterns, regular expressions, several paths at once, and `next('route')`. */
'use strict';
const web = require('ristretto');

const app = web();

// A parameter is one segment of the path. In an editor, `req.params` has its names.
app.get('/users/:userId/books/:bookId', (req, res) => {
  res.json({ user: req.params.userId, book: req.params.bookId });
});

// A parameter can be restricted by an expression, and `?` makes it optional.
app.get('/orders/:number(\\d+)/:format?', (req, res) => {
  res.json({ number: Number(req.params.number), format: req.params.format ?? 'html' });
});

// Several parameters in one segment, with text between them.
app.get('/flights/:from-:to', (req, res) => res.json(req.params));

// In a pattern, `?`, `+` and `( )` mean the same as in regular expressions; `*` matches anything.
app.get('/colou?r', (req, res) => res.send('both spellings'));
app.get('/files/*', (req, res) => res.send(`file ${req.params[0]}`));

// A regular expression: its groups are numbered in `req.params`.
app.get(/^\/v(\d+)\.(\d+)$/, (req, res) => res.json({ major: req.params[0], minor: req.params[1] }));

// The same handlers for several paths.
app.get(['/about', '/imprint'], (req, res) => res.send('about us'));

// One path, several methods. `all` runs for every method.
app
  .route('/note')
  .all((req, res, next) => {
    res.set('X-Note', req.method);
    next();
  })
  .get((req, res) => res.send('the note'))
  .put((req, res) => res.send('written'))
  .delete((req, res) => res.sendStatus(204));

// `next('route')` leaves this route, and the next matching one handles the request.
app.get('/greet/:name', (req, res, next) => {
  if (req.params.name === 'admin') return next('route');
  res.send(`Hello, ${req.params.name}`);
});
app.get('/greet/:name', (req, res) => res.send('Greetings, administrator'));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/users/1/books/2`));
}
