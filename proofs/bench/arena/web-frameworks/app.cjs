/** The three endpoints of the board "web-frameworks": an empty page, a parameter, and an empty response to a POST. */
const cluster = require('node:cluster');
const os = require('node:os');
const web = require('ristretto');

if (cluster.isPrimary) {
  for (let i = 0; i < os.availableParallelism(); i++) cluster.fork();
} else {
  const app = web();
  app.disable('x-powered-by').disable('etag');
  app.get('/', (req, res) => res.send(''));
  app.get('/user/:id', (req, res) => res.send(req.params.id));
  app.post('/user', (req, res) => res.send(''));
  app.listen(Number(process.env.PORT ?? 3000));
}
