/** Routers: parts of an application that do not depend on the path they are mounted on, nested in each other. */
'use strict';
const web = require('ristretto');

// `mergeParams` makes `:owner` of the mount path available in this router.
const animals = web.Router({ mergeParams: true });
animals.get('/', (req, res) => res.send(`the animals of ${req.params.owner}`));
animals.get('/:name', (req, res) => {
  res.json({
    owner: req.params.owner,
    name: req.params.name,
    mountedOn: req.baseUrl, // the part of the path matched by mounting
    rest: req.url, // the rest, which this router matches
    whole: req.originalUrl,
  });
});

const owners = web.Router();
owners.get('/', (req, res) => res.send('all owners'));
owners.use('/:owner/animals', animals);

// Middleware of a router runs only for requests that reach the router.
const internal = web.Router();
internal.use((req, res, next) => {
  if (req.get('X-Key') !== 'letmein') return res.sendStatus(403);
  next();
});
internal.get('/status', (req, res) => res.json({ ok: true }));

const app = web();
app.use('/owners', owners);
app.use(['/internal', '/private'], internal);

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/owners`));
}
