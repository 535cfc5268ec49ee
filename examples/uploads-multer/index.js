/** Files in forms (multipart/form-data) with multer, within limits and in memory. */
'use strict';
const { createHash } = require('node:crypto');
const web = require('ristretto');
const multer = require('multer');

const app = web();
const upload = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: 100 * 1024, files: 3, fields: 5, parts: 8 },
  // The type is sent by the client: use it only for a first check, and never trust it.
  fileFilter: (req, file, done) => done(null, file.mimetype.startsWith('text/')),
});

app.get('/', (req, res) => {
  res.send(`<form method="post" action="/one" enctype="multipart/form-data">
    <input name="title"> <input type="file" name="document"> <button>Send</button>
  </form>`);
});

app.post('/one', upload.single('document'), (req, res) => {
  if (!req.file) return res.status(415).send('a text file, please');
  const digest = createHash('sha256').update(req.file.buffer).digest('hex');
  res.json({ title: req.body.title, name: req.file.originalname, size: req.file.size, digest });
});

app.post('/many', upload.array('documents', 3), (req, res) => {
  res.json(req.files.map(file => file.originalname));
});

app.use((err, req, res, next) => {
  if (!(err instanceof multer.MulterError)) return next(err);
  res.status(err.code === 'LIMIT_FILE_SIZE' ? 413 : 400).json({ error: err.code });
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
