/** Files: `web.static`, `res.sendFile`, `res.download`. */
import path from 'node:path';
import web from '../../../packages/ristretto/index.js';

export function files(folder) {
  const router = web.Router();
  router.use('/static', web.static(folder, { maxAge: '1h' }));
  router.get('/sent', (_req, res) => res.sendFile('digits.txt', { root: folder }));
  router.get('/attachment', (_req, res) => res.download(path.join(folder, 'digits.txt'), '€.txt'));
  router.get('/missing', (_req, res) => {
    res.sendFile(path.join(folder, 'none.txt'), err => res.status(err.status).json({ code: err.code }));
  });
  router.get('/large', (_req, res) => res.sendFile(path.join(folder, '../../../package-lock.json')));
  return router;
}
