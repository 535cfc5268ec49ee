/** One resource, several formats: the `Accept` header decides. */
'use strict';
const web = require('ristretto');

const users = [{ name: 'Ada' }, { name: 'Grace' }];
const app = web();

// The first handler also serves clients that send no `Accept` header.
app.get('/users', (req, res) => {
  res.format({
    html: () => res.send(`<ul>${users.map(user => `<li>${user.name}</li>`).join('')}</ul>`),
    json: () => res.json(users),
    'text/csv': () => res.send(['name', ...users.map(user => user.name)].join('\n')),
    default: () => res.status(406).send('html, json or csv'),
  });
});

// The same negotiation by hand; languages work in the same way.
app.get('/hello', (req, res) => {
  const greetings = { en: 'Hello', de: 'Hallo', fr: 'Bonjour' };
  const language = req.acceptsLanguages(Object.keys(greetings)) || 'en';
  res.vary('Accept-Language').set('Content-Language', language);
  res.type('text').send(greetings[language]);
});

// Check what type of body the client has sent, too.
app.post('/users', (req, res) => {
  if (!req.is('json')) return res.status(415).send('JSON, please');
  res.sendStatus(201);
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/users`));
}
