/** Both interfaces in one program: 4.x by the package name, 5.x by its file. */
import express from 'ristretto';
import express5 = require('ristretto5/lib/express');

const app = express();
app.get('/users/:id?', (req, res) => void res.send(req.params.id ?? req.param('name')));

const next = express5();
next.get('/users{/:id}', (req, res) => {
  const id: string | undefined = req.params.id;
  // @ts-expect-error removed by 5
  req.param('name');
  res.send(id);
});
next.get('/files/*path', (req, res) => void res.json(req.params.path.length));
next.use(express5.json(), express5.Router(), express5.deadline('10s'));
app.use('/next', next);
next.use('/before', app);
