/** Sessions: the browser stores a signed id, the server the data for it (express-session). */
'use strict';
const web = require('ristretto');
const session = require('express-session');

const app = web();
app.use(
  session({
    secret: process.env.SESSION_SECRET ?? 'only for this example',
    resave: false,
    saveUninitialized: false, // no cookie until there is something to store
    cookie: { httpOnly: true, sameSite: 'lax', maxAge: 30 * 60 * 1000 },
    // The default store keeps sessions in memory; use one that survives a restart in production.
  }),
);

app.get('/', (req, res) => {
  req.session.views = (req.session.views ?? 0) + 1;
  res.send(`${req.session.views} views`);
});

app.get('/look', (req, res) => res.json({ views: req.session.views ?? 0 }));

app.post('/forget', (req, res, next) => {
  req.session.destroy(err => {
    if (err) return next(err);
    res.clearCookie('connect.sid').sendStatus(204);
  });
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
