/** The endpoints of the profiles async-db and crud, with the Express 4 API. */
const { invalidFields, open, readNumber } = require('./items.cjs');

/**
 * Returns the router.
 *
 * @param web `ristretto`, or a package with the same API
 * @param {import('pg').Pool} pool connections to a database with the table of items.sql
 */
module.exports = function build(web, pool) {
  const router = web.Router();
  const items = open(pool);
  const refuse = (res, ...names) => res.status(400).json({ error: `invalid: ${names.join(', ')}` });
  /** Passes errors to the framework: Express 4 ignores rejected promises. */
  const handle = work => (req, res, next) => void work(req, res).catch(next);

  router.get(
    '/async-db',
    handle(async (req, res) => {
      const { min = '1', max = '500', limit = '20' } = req.query;
      const numbers = [readNumber(min, 0), readNumber(max, 0), readNumber(limit, 1, 50)];
      if (numbers.includes(undefined)) return refuse(res, 'min, max or limit');
      res.json(await items.inPriceRange(...numbers));
    }),
  );

  router.use('/crud', web.json(), (req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.param('id', (req, res, next, id) => {
    req.id = readNumber(id, 1);
    if (req.id === undefined) refuse(res, 'id');
    else next();
  });
  const send = (res, item) => (item ? res.json(item) : res.status(404).json({ error: 'no such item' }));
  const validate = (req, res, next) => {
    const names = invalidFields(req.body);
    if (names.length > 0) refuse(res, ...names);
    else next();
  };
  router.get(
    '/crud/items',
    handle(async (req, res) => {
      const { category = 'tools', page = '1', limit = '10' } = req.query;
      const numbers = [readNumber(page, 1, 10_000), readNumber(limit, 1, 50)];
      if (typeof category !== 'string' || numbers.includes(undefined))
        return refuse(res, 'category, page or limit');
      res.json(await items.list(category, ...numbers));
    }),
  );
  router.post(
    '/crud/items',
    validate,
    handle(async (req, res) => {
      const item = await items.create(req.body);
      res.status(201).location(`/crud/items/${item.id}`).json(item);
    }),
  );
  router.get(
    '/crud/items/:id',
    handle(async (req, res) => send(res, await items.find(req.id))),
  );
  router.put(
    '/crud/items/:id',
    validate,
    handle(async (req, res) => send(res, await items.update(req.id, req.body))),
  );
  router.delete(
    '/crud/items/:id',
    handle(async (req, res) => {
      if (await items.remove(req.id)) res.status(204).end();
      else send(res);
    }),
  );
  return router;
};
