/** Sending single files: `res.sendFile` to display, `res.download` to save, `res.attachment` for generated content. */
'use strict';
const path = require('node:path');
const web = require('ristretto');

const app = web();
const root = path.join(__dirname, 'files');

// The name comes from the client, so `root` is essential: nothing outside it is ever sent.
app.get('/view/:name', (req, res, next) => {
  res.sendFile(req.params.name, { root }, err => {
    // Also called on success; a client that disconnects midway is not an error to handle.
    if (err && !res.headersSent) next(err);
  });
});

app.get('/download/:name', (req, res, next) => {
  res.download(req.params.name, { root }, err => {
    if (err && !res.headersSent) next(err);
  });
});

// Saved under another name. Names in any script reach the browser unchanged.
app.get('/latest', (req, res) => {
  res.download(path.join(root, 'report.csv'), 'Отчёт 2026.csv', { maxAge: '1h' });
});

// Not a file at all: the content is generated.
app.get('/generated', (req, res) => {
  res.attachment('numbers.json').send(JSON.stringify([1, 2, 3]));
});

app.use((err, req, res, next) => {
  if (err.status !== 404 && err.status !== 403) return next(err);
  res.status(err.status).send('There is no such file');
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/generated`));
}
