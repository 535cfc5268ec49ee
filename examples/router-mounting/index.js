/** Routers: parts of an application that know nothing of the path they are mounted on, one inside the other. */
'use strict';
const web = require('ristretto');

// `mergeParams` lets this router see `:owner` of the path it is mounted on.
const animals = web.Router({ mergeParams: true });
animals.get('/', (req, res) => res.send(`the animals of ${req.params.owner}`));
animals.get('/:name', (req, res) => {
  res.json({
    owner: req.params.owner,
    name: req.params.name,
    mountedOn: req.baseUrl, // what of the path was matched by mounting
    rest: req.url, // what is left for this router
    whole: req.originalUrl,
  });
});

const owners = web.Router();
owners.get('/', (req, res) => res.send('all owners'));
owners.use('/:owner/animals', animals);

// Middleware of a router runs only for what reaches the router.
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
if (require.main === module) app.listen(3000, () => console.log('http://localhost:3000'));
