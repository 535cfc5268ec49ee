/** The four body parsers, each on the routes that need it, with limits. */
'use strict';
const { createHmac, timingSafeEqual } = require('node:crypto');
const web = require('ristretto');

const app = web();

// JSON objects and arrays of at most 10 kB: a larger body gets a 413, malformed JSON a 400.
app.get('/', (req, res) => res.send('POST a body to /json, /form, /text, /bytes or /hook'));

app.post('/json', web.json({ limit: '10kb' }), (req, res) => {
  res.json({ got: req.body });
});

// HTML forms. `extended` parses `pet[name]=Rex` as a nested object.
app.post('/form', web.urlencoded({ extended: true }), (req, res) => {
  res.json({ got: req.body });
});

// Text in any supported charset; `req.body` is a string.
app.post('/text', web.text({ type: 'text/*' }), (req, res) => {
  res.send(`${req.body.length} characters`);
});

// Bytes: `req.body` is a Buffer. Compressed bodies are inflated, and the limit applies to the inflated size.
app.post('/bytes', web.raw({ type: 'image/*', limit: '1mb' }), (req, res) => {
  if (!Buffer.isBuffer(req.body)) return res.status(415).send('an image, please');
  res.send(`${req.body.length} bytes`);
});

// `verify` gets the bytes before they are parsed: use it to check a signature.
const sign = bytes => createHmac('sha256', 'the shared secret').update(bytes).digest();
function checkSignature(req, res, bytes) {
  const given = Buffer.from(String(req.headers['x-signature']), 'hex');
  const expected = sign(bytes);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('bad signature');
}
app.post('/hook', web.json({ verify: checkSignature }), (req, res) => res.send(`event ${req.body.event}`));

// The errors of the parsers describe the problem in `status` and `type`.
app.use((err, req, res, next) => {
  if (!err.type) return next(err);
  res.status(err.status).json({ error: err.type });
});

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}`));
}
