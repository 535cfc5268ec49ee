/** Pages with EJS: a layout made of partials, and locals of the application, of the request and of the view. */
'use strict';
const path = require('node:path');
const web = require('ristretto');

const app = web();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'ejs'); // found by its name, without further setup

app.locals.site = 'The Pet Shop'; // available in every view

app.use((req, res, next) => {
  res.locals.path = req.path; // available in every view of this request
  next();
});

const pets = [
  { name: 'Tobi', kind: 'ferret' },
  { name: '<b>Loki</b>', kind: 'cat' }, // Shows that text is escaped
];
app.get('/', (req, res) => res.render('pets', { title: 'Pets', pets }));

// Renders without sending, for example for an email.
app.get('/mail', (req, res, next) => {
  app.render('mail', { pet: pets[0] }, (err, text) => {
    if (err) return next(err);
    res.type('text').send(text);
  });
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
