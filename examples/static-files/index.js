/** Serving the files of a directory, with caching, ranges and conditional requests. */
'use strict';
const path = require('node:path');
const web = require('ristretto');

const app = web();
const publicFiles = path.join(__dirname, 'public');

// These have their own path, and browsers cache them for a day. An absolute root works from any working directory.
app.use('/assets', web.static(publicFiles, { maxAge: '1 day', index: false }));

// At the root: `/` is index.html, `/about` is about.html, and `/guide` redirects to `/guide/`.
app.use(
  web.static(publicFiles, {
    extensions: ['html'],
    setHeaders(res, file) {
      if (file.endsWith('.html')) res.setHeader('Cache-Control', 'no-cache');
    },
  }),
);

// Requests for missing files reach the handlers below. Dotfiles are treated as missing.
app.use((req, res) => res.status(404).send('no such file'));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
