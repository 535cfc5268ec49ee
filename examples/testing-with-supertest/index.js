/**
 * An application that is easy to test: a function creates it from its dependencies, and it does not listen by itself.
 */
'use strict';
const web = require('ristretto');

/** Creates the application with a store that has `get` and `set`, such as a Map. */
function makeApp(store) {
  const app = web();
  app.use(web.json());

  app.get('/keys/:key', (req, res) => {
    if (!store.has(req.params.key)) return res.status(404).json({ error: 'no such key' });
    res.json({ value: store.get(req.params.key) });
  });
  app.put('/keys/:key', (req, res) => {
    const existed = store.has(req.params.key);
    store.set(req.params.key, req.body.value);
    res.sendStatus(existed ? 204 : 201);
  });
  return app;
}

const app = makeApp(new Map([['answer', 42]]));
module.exports = Object.assign(app, { makeApp });
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/keys/answer`));
}
