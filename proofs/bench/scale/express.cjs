/** The application for Ristretto and for Express 4, with the same code. */
'use strict';
const session = require('express-session');

module.exports = function makeApplication(web, { page, secret, sessions, newest, find }) {
  const app = web();
  app.disable('x-powered-by');

  app.get('/api/posts/:id', (req, res, next) => {
    find(Number(req.params.id)).then(post => (post ? res.json(post) : next()), next);
  });

  const options = { name: 'session', secret, store: sessions, resave: false, saveUninitialized: false };
  app.use(session({ ...options, cookie: { maxAge: 86_400_000 } }));
  app.post('/login/:name', (req, res) => {
    req.session.name = req.params.name;
    res.send('ok');
  });
  app.get('/', (req, res, next) => {
    newest().then(posts => res.send(page({ name: req.session.name, posts })), next);
  });

  return port =>
    new Promise(resolve => {
      const server = app.listen(port, '127.0.0.1', () => resolve(server.address().port));
    });
};
