/** Applications in an application: each has its own settings, views and locals; also one for each host. */
'use strict';
const web = require('ristretto');

/** Returns middleware that passes the requests for one host to `handler`. */
function host(name, handler) {
  return (req, res, next) => (req.hostname === name ? handler(req, res, next) : next());
}

// A separate application, which could also listen on its own.
const blog = web();
blog.set('json spaces', 2);
blog.locals.title = 'The blog';
blog.get('/', (req, res) =>
  res.json({ title: req.app.locals.title, mountedOn: req.baseUrl, path: blog.path() }),
);
blog.on('mount', parent => {
  blog.locals.parent = parent.locals.title;
});

// It handles its own errors, because it has an error handler.
const api = web();
api.get('/broken', () => {
  throw new Error('broken');
});
api.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  res.status(500).json({ error: 'api' });
});

const app = web();
app.locals.title = 'The site';
app.use(host('api.example.com', api));
app.use(['/blog', '/news'], blog);
app.get('/', (req, res) => res.json({ title: req.app.locals.title, host: req.hostname }));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
