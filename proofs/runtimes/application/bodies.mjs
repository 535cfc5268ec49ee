/** Request bodies, and the lengths and encodings of responses. */
import compression from 'compression';
import web from '../../../packages/ristretto/index.js';

export function bodies() {
  const router = web.Router();
  router.post('/json', web.json({ limit: '1kb' }), (req, res) => res.json(req.body));
  router.post('/form', web.urlencoded({ extended: true }), (req, res) => res.json(req.body));
  router.post('/text', web.text(), (req, res) => res.json(req.body));
  router.post('/raw', web.raw({ limit: '5mb' }), (req, res) => {
    res.json({ isBuffer: Buffer.isBuffer(req.body), length: req.body.length });
  });
  router.post('/unread', (_req, res) => res.send('not read'));
  router.post('/twice', web.json(), web.urlencoded({ extended: false }), (req, res) => res.json(req.body));
  router.post('/echo', (req, res) => req.pipe(res));
  router.post('/iterated', async (req, res) => {
    let length = 0;
    for await (const chunk of req) length += chunk.length;
    res.json({ length });
  });
  router.get('/compressed', compression({ threshold: 0 }), (_req, res) => {
    res.type('text').send('compress me '.repeat(100));
  });
  router.get('/written', (_req, res) => {
    res.type('text').write('one ');
    res.write(Buffer.from('two '));
    res.end('three');
  });
  router.get('/trailers', (_req, res) => {
    res.set('Trailer', 'X-Sum').write('body');
    res.addTrailers({ 'X-Sum': '4' });
    res.end();
  });
  router.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ type: err.type }));
  return router;
}
