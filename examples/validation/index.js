/** Validating input with express-validator before a handler uses it. */
'use strict';
const web = require('ristretto');
const { body, matchedData, param, query, validationResult } = require('express-validator');

const app = web();
app.use(web.json({ limit: '10kb' }));

/** Responds with all mistakes at once, or passes the request on. */
function valid(req, res, next) {
  const mistakes = validationResult(req);
  if (mistakes.isEmpty()) return next();
  res.status(422).json({ errors: mistakes.array().map(({ path, msg }) => ({ field: path, message: msg })) });
}

app.post(
  '/users',
  body('email').isEmail().withMessage('must be an address').normalizeEmail(),
  body('age').optional().isInt({ min: 18 }).withMessage('must be 18 or more').toInt(),
  body('name').isString().trim().isLength({ min: 1, max: 50 }).withMessage('must have 1 to 50 characters'),
  valid,
  // Only the validated and sanitized fields: everything else that was sent is dropped.
  (req, res) => res.status(201).json(matchedData(req)),
);

app.get(
  '/users/:id',
  param('id').isUUID(),
  query('full').optional().isBoolean().toBoolean(),
  valid,
  (req, res) => {
    res.json(matchedData(req));
  },
);

module.exports = app;
if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/users/9b2f3c1e-5d7a-4c57-9c4e-0f6a3a2f7b10`));
}
