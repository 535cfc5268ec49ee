/** Files of a directory, with caching, ranges and conditional requests. */
'use strict';
const path = require('node:path');
const web = require('ristretto');

const app = web();
const publicFiles = path.join(__dirname, 'public');

// Under a path of their own, kept by browsers for a day. An absolute root works from any working directory.
app.use('/assets', web.static(publicFiles, { maxAge: '1 day', index: false }));

// At the root: `/` is index.html, `/about` is about.html, and `/guide` is sent on to `/guide/`.
app.use(
  web.static(publicFiles, {
    extensions: ['html'],
    setHeaders(res, file) {
      if (file.endsWith('.html')) res.setHeader('Cache-Control', 'no-cache');
    },
  }),
);

// What is not there is passed on to here. Files whose names start with a dot are never there.
app.use((req, res) => res.status(404).send('no such file'));

module.exports = app;
if (require.main === module) app.listen(3000, () => console.log('http://localhost:3000'));
