/** The endpoints that the public arenas load, with the Express 4 API. proofs/bench/http runs the same program on Express. */

/**
 * Returns the application.
 *
 * @param web `ristretto`, or a package with the same API
 * @param {{ items: object[], folder: string, compression: Function }} data the products that `/json` lists, the folder
 * that `/static` serves, and the middleware `compression`
 */
module.exports = function build(web, { items, folder, compression }) {
  const app = web();
  app.disable('x-powered-by').disable('etag');
  const sendText = (res, text) => res.type('text/plain').send(text);
  const sum = ({ a, b }) => Number(a) + Number(b);

  app.get('/pipeline', (req, res) => sendText(res, 'ok'));
  app.get(['/baseline11', '/baseline2'], (req, res) => sendText(res, String(sum(req.query))));
  app.post(['/baseline11', '/baseline2'], web.text({ type: () => true }), (req, res) =>
    sendText(res, String(sum(req.query) + Number(req.body))),
  );
  app.get('/json/:count', compression(), (req, res) => {
    const factor = Number(req.query.m ?? 1);
    const shown = items.slice(0, Number(req.params.count));
    const list = shown.map(item => ({ ...item, total: item.price * item.quantity * factor }));
    res.json({ items: list, count: list.length });
  });
  app.post('/upload', (req, res) => {
    let bytes = 0;
    req.on('data', chunk => (bytes += chunk.length));
    req.on('end', () => sendText(res, String(bytes)));
  });
  app.use('/static', web.static(folder));
  return app;
};
