/** The endpoints that public arenas load, with the Express 4 API. They run unchanged on Express. */
const buildDatabase = require('./database.cjs');

/**
 * Returns the application.
 *
 * @param web `ristretto`, or a package with the same API
 * @param {{ items: object[], folder: string, compression: Function, pool?: import('pg').Pool }} data the products that
 * `/json` lists, the folder that `/static` serves, the middleware `compression`, and connections to PostgreSQL
 */
module.exports = function build(web, { items, folder, compression, pool }) {
  const app = web();
  app.disable('x-powered-by').disable('etag');
  const sendText = (res, text) => res.type('text/plain').send(text);
  const sum = ({ a, b }) => Number(a) + Number(b);

  app.get('/pipeline', (req, res) => sendText(res, 'ok'));
  app.get(['/baseline11', '/baseline2'], (req, res) => sendText(res, String(sum(req.query))));
  app.post(['/baseline11', '/baseline2'], web.text({ type: () => true }), (req, res) =>
    sendText(res, String(sum(req.query) + Number(req.body))),
  );
  const sendItems = (res, count, factor) => {
    const list = items.slice(0, count).map(item => ({ ...item, total: item.price * item.quantity * factor }));
    res.json({ items: list, count: list.length });
  };
  app.get('/json/:count', compression(), (req, res) =>
    sendItems(res, Number(req.params.count), Number(req.query.m ?? 1)),
  );
  app.post('/json/:count', web.json(), (req, res) =>
    sendItems(res, Number(req.params.count), Number(req.body.m ?? 1)),
  );
  app.post('/upload', (req, res) => {
    let bytes = 0;
    req.on('data', chunk => (bytes += chunk.length));
    req.on('end', () => sendText(res, String(bytes)));
  });
  app.use('/static', web.static(folder));
  if (pool) app.use(buildDatabase(web, pool));
  // A board opens all sockets from one address. Express has no `app.ws`.
  app.ws?.('/ws', { maxConnectionsPerAddress: Infinity }, socket => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  return app;
};
