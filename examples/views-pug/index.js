/** Pages with Pug, with a layout that views extend; and a second engine for another extension. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const web = require('ristretto');

const app = web();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'pug');
app.locals.site = 'The Pet Shop';

// An engine is a function of a file, values and a callback. This one replaces {{name}}, in ten lines.
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
app.engine('tpl', (file, values, done) => {
  fs.readFile(file, 'utf8', (err, template) => {
    if (err) return done(err);
    const fill = (_, name) => String(values[name] ?? '').replace(/[&<>"]/g, character => escapes[character]);
    done(null, template.replace(/\{\{(\w+)\}\}/g, fill));
  });
});

app.get('/', (req, res) => {
  res.render('index', { title: 'Home', user: { name: req.query.name ?? 'stranger' } });
});
app.get('/tiny', (req, res) => res.render('tiny.tpl', { name: req.query.name }));

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
