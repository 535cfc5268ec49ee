/**
 * An API that documents itself: GET /openapi.json is generated from its schemas, and /docs is a page to read it and try
 * it out.
 */
'use strict';
const web = require('ristretto');
const { z } = require('zod');

const Book = z.object({ isbn: z.string(), title: z.string().min(1) }).meta({ id: 'Book' });
const Problem = z.object({ error: z.string() }).meta({ id: 'Problem' });
const Isbn = z.object({ isbn: z.string().regex(/^[\d-]+$/) });
const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many books'),
});

const books = new Map([['0-201-03801-3', { isbn: '0-201-03801-3', title: 'Fundamental Algorithms' }]]);

/** Requires the token for requests that change books. */
function authenticate(req, res, next) {
  if (req.get('Authorization') === `Bearer ${process.env.TOKEN ?? 'secret'}`) next();
  else res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'a token is needed' });
}

const router = web.Router();
router.use(web.describe({ tags: ['books'], security: [] }));

router.get(
  '/',
  web.describe({ summary: 'Lists books', operationId: 'listBooks' }),
  web.validate({
    query: Paging,
    response: { 200: z.array(Book) },
  }),
  (req, res) => res.json([...books.values()].slice(0, req.query.limit)),
);

router.get(
  '/:isbn',
  web.describe({ summary: 'Shows a book' }),
  web.validate({
    params: Isbn,
    response: { 200: Book, 404: Problem },
  }),
  (req, res) => {
    const book = books.get(req.params.isbn);
    if (book) res.json(book);
    else res.status(404).json({ error: 'no such book' });
  },
);

router.post(
  '/',
  authenticate,
  web.json(),
  web.describe({
    summary: 'Adds a book',
    security: [{ bearer: [] }],
    body: { examples: { taocp: { value: { isbn: '0-201-03804-8', title: 'Sorting and Searching' } } } },
  }),
  web.validate({
    body: Book,
    response: { 201: Book, 401: Problem },
  }),
  (req, res) => {
    books.set(req.body.isbn, req.body);
    res.status(201).json(req.body);
  },
);

const app = web();
app.use('/books', router);
app.get(
  '/openapi.json',
  web.openApi(app, {
    info: { title: 'Books', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '.' }],
    tags: [{ name: 'books', description: 'What there is to read' }],
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
  }),
);
app.use('/docs', web.openApiPage('/openapi.json', { title: 'Books' }));

module.exports = app;

if (require.main === module) {
  const { PORT = 3000 } = process.env;
  app.listen(PORT, () => console.log(`http://localhost:${PORT}/docs`));
}
