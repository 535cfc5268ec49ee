/** Routes: parameters, mounting, methods, and what the framework reports about the request and the response. */
import morgan from 'morgan';
import web from '../../../packages/ristretto/index.js';

/** Returns a router inside a router, which shows the URL it sees. */
function mounted() {
  const router = web.Router();
  router.get('/leaf/:id', (req, res) => {
    res.json({ url: req.url, baseUrl: req.baseUrl, originalUrl: req.originalUrl, path: req.path });
  });
  return router;
}

export function routing(app) {
  const router = web.Router();
  const lines = [];
  router.use(
    '/logged',
    morgan(':method :url :status :res[content-type]', { stream: { write: line => lines.push(line) } }),
  );
  router.get('/hello', (_req, res) => res.send('hello'));
  router.get('/users/:name', (req, res) => res.json(req.params));
  router.get(/^\/expression\/(\d+)$/, (req, res) => res.json(req.params));
  router.get('/query', (req, res) => res.json(req.query));
  router.use('/mounted', mounted());
  router.all('/method', (req, res) => res.send(req.method));
  router.get('/redirect', (_req, res) => res.redirect('/routing/hello?from=é'));
  router.get('/empty', (_req, res) => res.status(204).json({ discarded: true }));
  router.get('/status', (_req, res) => res.status(299).send('of its own'));
  router.get('/header-case', (_req, res) => res.set('X-CamelCase', 'kept').end('x'));
  router.get('/network', (req, res) => {
    const { ip, protocol, secure, hostname, httpVersion } = req;
    res.json({ ip, protocol, secure, hostname, httpVersion });
  });
  router.get('/repeated', (req, res) =>
    res.json({ raw: req.rawHeaders.filter(text => /^x-two/i.test(text)) }),
  );
  router.get('/negotiated', (req, res) => {
    res.format({ text: () => res.send('text'), json: () => res.json('json') });
  });
  router.get('/proxied', (req, res) => {
    app.set('trust proxy', true);
    const { ip, protocol, hostname } = req;
    app.set('trust proxy', false);
    res.json({ ip, protocol, hostname });
  });
  router.get('/logged/x', (_req, res) => res.type('text').send('x'));
  router.get('/lines', (_req, res) => res.json(lines.splice(0)));
  router.get('/hints', (_req, res) => {
    res.writeEarlyHints({ link: '</style.css>; rel=preload' });
    res.send('hinted');
  });
  return router;
}
