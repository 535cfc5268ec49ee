/** Cookies that a client can read but not change: cookie-parser verifies the signature that `signed: true` adds. */
'use strict';
const web = require('ristretto');
const cookieParser = require('cookie-parser');

const app = web();
// The first secret signs. Further ones are still accepted, so that a secret can be rotated.
app.use(cookieParser([process.env.COOKIE_SECRET ?? 'only for this example', 'the secret before that']));

app.get('/', (req, res) => {
  const { name } = req.signedCookies; // false if the cookie was tampered with
  // As plain text, the name cannot become markup.
  res.type('text').send(name ? `Welcome back, ${name}` : 'Who are you? /login?name=...');
});

app.get('/login', (req, res) => {
  res.cookie('name', String(req.query.name), {
    signed: true,
    httpOnly: true, // not readable by scripts on the page
    sameSite: 'lax', // not sent when other sites post to us
    maxAge: 24 * 60 * 60 * 1000, // milliseconds
  });
  res.redirect('/');
});

// A cookie is only cleared with the path and domain that it was set with.
app.get('/logout', (req, res) => {
  res.clearCookie('name', { httpOnly: true, sameSite: 'lax' });
  res.redirect('/');
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
