const web = require('ristretto5');
const { z } = require('zod');
const User = z.object({ id: z.number(), name: z.string().describe('The full name') }).meta({ id: 'User' });
const NewUser = z.object({ name: z.string() });
const app = web();
app.set('errors', 'problem');
app.set('query parser', 'extended');
app.use(web.json());
app.use(web.text());
app.use(web.urlencoded({ extended: true }));
const users = web.Router();
users.get('/:id', web.describe({ summary: 'Shows a user */', errors: [404] }),
  web.validate({ params: z.object({ id: z.coerce.number() }), response: { 200: User } }),
  (req, res) => {
    if (req.params.id === 9) throw new web.HttpError(404, 'No such user', { code: 'user.missing' });
    res.json({ id: req.params.id, name: 'Ada' });
  });
users.post('/', web.validate({ body: NewUser, query: z.object({ tag: z.array(z.string()).optional(), by: z.object({ name: z.string() }).optional() }), headers: z.object({ 'x-tenant': z.string() }), response: { 201: User } }),
  (req, res) => res.status(201).json({ id: 1, name: [req.body.name, req.headers['x-tenant'], JSON.stringify(req.query)].join() }));
users.delete('/:id', web.describe({ responses: { 204: {} } }), (req, res) => res.status(204).end());
app.use('/api/users', users);
app.get('/text/:name', (req, res) => res.type('text').send(req.params.name));
app.get('/bytes', web.describe({ responses: { 200: { contentTypes: ['image/png'] } } }), (req, res) => res.type('png').send(Buffer.from('png')));
app.get('/flights/:from-:to', (req, res) => res.json(req.params));
app.get('/files/*splat', (req, res) => res.json(Object.values(req.params).flat().join('/')));
app.get('/items/:id\\:archive', (req, res) => res.json([req.path, req.params.id]));
app.get('/events', web.describe({ responses: { 200: { contentTypes: ['text/event-stream'] } } }),
  web.validate({ response: { 200: z.object({ at: z.number() }) } }),
  async (req, res) => {
    const events = res.sse();
    await events.send({ event: 'tick', data: { at: 1 }, id: 5 });
    await events.send('two\nlines');
    events.close();
  });
app.get('/lines', web.describe({ responses: { 200: { contentTypes: ['application/x-ndjson'] } } }),
  web.validate({ response: { 200: z.object({ n: z.number() }) } }),
  (req, res) => res.type('application/x-ndjson').send((async function* () { yield '{"n":1}\n{"n"'; yield ':2}\n\n'; })()));
app.post('/echo', (req, res) => res.json([req.headers['content-type'], req.body]));
app.get('/cookie', (req, res) => res.json([req.headers.accept, req.headers.authorization]));
app.get('/broken', (req, res) => res.type('json').send('{'));
app.get(/\/re+/, (req, res) => res.end());
app.use('/doc', web.Router().get('/', web.openapi(app, { info: { title: 'Users */', version: '1' }, basePath: '/api' })));
module.exports = app;
