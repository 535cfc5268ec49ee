/** Uploaded forms with files. */
import multer from 'multer';
import web from '../../../packages/ristretto/index.js';

export function uploads() {
  const router = web.Router();
  const memory = multer({ storage: multer.memoryStorage(), limits: { fileSize: 100_000 } });
  router.post('/memory', memory.array('files'), (req, res) => {
    const files = req.files.map(({ originalname, mimetype, size }) => ({ originalname, mimetype, size }));
    res.json({ files, fields: req.body });
  });
  router.post('/disk', multer({ dest: '/tmp' }).single('file'), (req, res) => {
    res.json({ size: req.file.size });
  });
  router.post('/counted', async (req, res) => {
    let length = 0;
    req.on('data', chunk => (length += chunk.length));
    req.on('end', () => res.json({ length }));
  });
  router.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ code: err.code }));
  return router;
}
