/** Middleware runs in the order in which it was registered, until one sends a response. */
'use strict';
const web = require('ristretto');

const app = web();

// For every request, whatever the path: everything registered below can rely on it.
app.use((req, res, next) => {
  res.locals.trace = ['first'];
  next();
});

// For one part of the tree only. `/shop` matches `/shop` and `/shop/cart`, but not `/shopping`.
app.use('/shop', (req, res, next) => {
  res.locals.trace.push(`shop sees ${req.url}`);
  next();
});

// Registers several at once; a route can have its own middleware.
const mark = name => (req, res, next) => {
  res.locals.trace.push(name);
  next();
};
app.use(mark('second'), [mark('third'), mark('fourth')]);

app.get('/shop/cart', mark('only here'), (req, res) => res.json(res.locals.trace));
app.get('/shopping', (req, res) => res.json(res.locals.trace));

// The two routes above never get here: they have sent a response.
app.use(mark('too late'));

// Requests that nothing has responded to end here, so this is the 404 page.
app.use((req, res) => res.status(404).json({ trace: res.locals.trace, missing: req.path }));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/shop/cart`));
}
