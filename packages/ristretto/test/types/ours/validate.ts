/** Types that `web.validate` gives to the handlers after it. */
import web, { type RequestHandler, type StandardSchema } from 'ristretto';

interface Person {
  email: string;
  age: number;
}
declare const Id: StandardSchema<{ id: string }, { id: number }>;
declare const User: StandardSchema<{ email: string; age?: number }, Person>;
declare const Paging: StandardSchema<{ page?: string }, { page: number }>;
declare const Problem: StandardSchema<{ error: string }>;
declare const auth: RequestHandler;

const app = web();

app.post(
  '/users/:id',
  web.validate({ params: Id, query: Paging, body: User, response: { 201: User, default: Problem } }),
  (req, res) => {
    const id: number = req.params.id;
    const page: number = req.query.page;
    const { email, age }: Person = req.body;
    res.status(201).json({ email });
    res.status(404).json({ error: `${id} ${page} ${age}` });
    // @ts-expect-error not what the schema says
    res.status(201).json({ mail: email });
    // @ts-expect-error not what the schema for all others says
    res.status(404).json({ email });
    // @ts-expect-error it is not in the schema
    res.send(req.body.name);
    // @ts-expect-error it is not in the schema
    res.send(req.params.name);
  },
);

// Without a schema for the status, nothing of the body is known.
app.post(
  '/users',
  web.validate({ response: { 201: User, '4XX': Problem, 202: 'unchecked' } }),
  (req, res) => {
    res.status(201).json({ email: 'a' });
    res.status(404).json({ error: 'a' });
    res.status(202).json({ any: req.url });
    res.status(204).end();
    // @ts-expect-error the status was forgotten
    res.json({ email: 'a' });
    // @ts-expect-error a 200 has no schema
    res.status(200).json({ email: 'a' });
    // @ts-expect-error not what the schema of the range says
    res.status(400).json({ email: 'a' });
  },
);
app.get('/users', web.validate({ response: { '2XX': User, 404: Problem } }), (req, res) => {
  res.json({ email: 'a' });
  res.status(Number(req.query.status)).json({ any: 1 });
  // @ts-expect-error not what the schema of the range says
  res.status(201).json({ error: 'a' });
});

// Handlers in between have the same types.
app.put(
  '/users/:id',
  web.validate({ params: Id }),
  (req, res, next) => {
    const id: number = req.params.id;
    next(id === 0 ? 'route' : undefined);
  },
  (req, res) => res.json(req.params.id + 1),
);

// Other middleware may come before and after it, with or without types.
app.get('/users/:id', auth, web.validate({ params: Id }), (req, res) => {
  const id: number = req.params.id;
  res.json(id);
});
app.get('/users/:id', auth, auth, auth, web.validate({ body: User }), auth, auth, (req, res) => {
  const id: string = req.params.id;
  // @ts-expect-error it is not in the schema
  res.json([id, req.body.name]);
});
app.get(
  '/users/:id',
  web.validate({ body: User }),
  auth,
  (req, res, next) => void next(),
  (req, res) => {
    // @ts-expect-error it is not in the schema
    res.json(req.body.name);
  },
);
app.get(
  '/users/:id',
  auth,
  web.validate({ body: User }),
  auth,
  (req, res, next) => void next(),
  (req, res) => {
    // @ts-expect-error it is not in the schema
    res.json(req.body.name);
  },
);

// Arrays of middleware may also come before and after it.
declare const several: RequestHandler[];
app.patch(
  '/users/:id',
  several,
  auth,
  [auth, auth] as const,
  web.validate({ params: Id, body: User }),
  (req, res) => {
    const id: number = req.params.id;
    // @ts-expect-error it is not in the schema
    res.json([id, req.body.name]);
  },
);
app.patch('/users/:id', web.validate({ body: User }), several, (req, res) => {
  // @ts-expect-error it is not in the schema
  res.json(req.body.name);
});
app.route('/users/:id').patch(several, web.validate({ params: Id }), [auth], auth, (req, res) => {
  const id: number = req.params.id;
  res.json(id);
});

// It works on routes too.
app
  .route('/users/:id')
  .post(auth, web.validate({ params: Id, body: User }), (req, res) => {
    const id: number = req.params.id;
    // @ts-expect-error it is not in the schema
    res.json([id, req.body.name]);
  })
  .put(web.validate({ body: User }), async (req, res) => {
    const email: string = await Promise.resolve(req.body.email);
    res.json(email);
  });
web.Router().patch('/:id', web.validate({ params: Id }), (req, res) => res.json(req.params.id.toFixed()));

// Parameters of the path that the schema lacks are errors.
app.get('/users/:user', web.validate({ params: Id }), (req, res) => {
  // @ts-expect-error path and schema differ
  res.json(req.params.id);
});
app.get('/users/:id/:more', web.validate({ params: Id }), (req, res) => {
  // @ts-expect-error path and schema differ
  res.json(1);
});
app.get('/users/:id?', web.validate({ params: Id }), (req, res) => res.json(req.params.id));
// Others are those of the mount.
const merged = web.Router({ mergeParams: true }).use(auth);
declare const ProjectId: StandardSchema<{ id: string; projectId: string }, { id: number; projectId: string }>;
merged.get('/', web.validate({ params: Id }), (req, res) => res.json(req.params.id.toFixed()));
merged.get('/:id', web.validate({ params: ProjectId }), (req, res) => {
  const { id, projectId }: { id: number; projectId: string } = req.params;
  res.json([id, projectId]);
});
merged.get('/:user', web.validate({ params: ProjectId }), (req, res) => {
  // @ts-expect-error the schema lacks a parameter of the path
  res.json(req.params.id);
});
declare const path: string;
app.get(path, web.validate({ params: Id }), (req, res) => res.json(req.params.id + 1));

// Headers and cookies.
declare const Headers: StandardSchema<unknown, { 'x-n': number }>;
app.get('/', web.validate({ headers: Headers, cookies: Headers }), (req, res) => {
  const n: number = req.headers['x-n'];
  const m: number = req.cookies['x-n'];
  const same: number = req.get('x-n');
  const host: string | undefined = req.get('host');
  res.json([n, m, same, host]);
});

// It is middleware like any other.
const check: RequestHandler = web.validate({ query: Paging });
app.use(check, web.validate({ query: Paging }));
app.use('/x', auth, web.validate({ query: Paging }), auth);
app.get('/list', [auth, web.validate({ query: Paging })]);

// @ts-expect-error no part of a request
web.validate({ bdy: User });
// @ts-expect-error not a schema
web.validate({ body: {} });
// @ts-expect-error not a status that it takes
web.validate({ body: User }, { status: 418 });

// A handler in a file of its own has the types of the schemas.
const schemas = { params: Id, body: User, response: { 200: User } };
const change: web.Validated<typeof schemas> = (req, res) => {
  const id: number = req.params.id;
  res.status(200).json({ email: `${req.body.email}${id}` });
  // @ts-expect-error it is not in the schema
  res.json(req.body.name);
};
app.put('/users/:id', auth, web.validate(schemas), change);

// With what middleware before it adds, or the type of this middleware.
const requireUser: web.Adds<{ user: { id: number } }> = (req, _res, next) => next();
const rename: web.Validated<typeof schemas, typeof requireUser> = (req, res) => {
  const user: number = req.user.id;
  res.json({ email: `${req.body.email}${user}` });
  // @ts-expect-error nothing adds it
  res.json(req.team);
};
const join: web.Validated<typeof schemas, { user: { id: number }; team: string }> = (req, res) =>
  res.json({ email: `${req.team}${req.user.id}` });
app.put('/users/:id/name', requireUser, web.json(), web.validate(schemas), rename);
// @ts-expect-error requireUser is missing
app.put('/users/:id/name', web.json(), web.validate(schemas), rename);
// @ts-expect-error nothing adds team
app.put('/users/:id/team', requireUser, web.json(), web.validate(schemas), join);
