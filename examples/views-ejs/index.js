/** Pages by EJS: layout by partials, locals of the application, of the request, and of the view. */
'use strict';
const path = require('node:path');
const express = require('express'); // the alias for ristretto: see package.json

const app = express();
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'ejs'); // found by its name, no further setup

app.locals.site = 'The Pet Shop'; // every view sees it

app.use((req, res, next) => {
  res.locals.path = req.path; // every view of this request sees it
  next();
});

const pets = [
  { name: 'Tobi', kind: 'ferret' },
  { name: '<b>Loki</b>', kind: 'cat' }, // shows that text is escaped
];
app.get('/', (req, res) => res.render('pets', { title: 'Pets', pets }));

// Rendered without being sent, for instance for a mail.
app.get('/mail', (req, res, next) => {
  app.render('mail', { pet: pets[0] }, (err, text) => {
    if (err) return next(err);
    res.type('text').send(text);
  });
});

module.exports = app;
if (require.main === module) app.listen(3000, () => console.log('http://localhost:3000'));
