/** Middleware that adds members to the request, and several `web.validate` for one part. */
import web, { type RequestHandler, type StandardSchema } from 'ristretto';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void {
  /* checked by the compiler */
}
interface User {
  name: string;
}
declare const auth: RequestHandler;
declare const onError: web.ErrorRequestHandler;
declare const Tenant: StandardSchema<{ tenant: string }>;
declare const Page: StandardSchema<{ page?: string }, { page: number }>;
declare const Ids: StandardSchema<{ id: string }, { id: number }>;
declare const Name: StandardSchema<{ name: string }>;
declare function logger<Req extends web.Request>(options: { skip(req: Req): boolean }): (req: Req) => void;

const requireUser: web.Adds<{ user: User }> = (req, res, next) => {
  same<typeof req.user, User | undefined>();
  req.user = { name: 'Ada' };
  next();
};
const requireAdmin: web.Adds<{ admin: true }, { user: User }> = (req, res, next) => {
  req.admin = req.user.name === 'Ada' || undefined;
  next();
};
const router5 = web.Router().use(requireUser);
declare function requireRole<Role extends string>(role: Role): web.Adds<{ role: Role }>;
const app = web();

// Later handlers of the same call see the members, whichever handlers are before and between them.
app.get('/:id', requireUser, (req, res) => {
  same<typeof req.user, User>();
  same<typeof req.params, { id: string }>();
  res.json(req.user.name);
});
app.get('/', auth, logger({ skip: req => req.path === '/' }), requireUser, auth, (req, res) => {
  same<typeof req.user, User>();
  res.send(req.path);
});
app.get('/', requireUser, requireAdmin, requireRole('x'), (req, res, next) => {
  same<typeof req.user, User>();
  same<typeof req.admin, true>();
  same<typeof req.role, 'x'>();
  next();
});
app.get(
  '/',
  (req, res, next) => {
    // @ts-expect-error it comes before the middleware that adds it
    req.user.name;
    next();
  },
  requireUser,
  (req, res, next) => {
    same<typeof req.user, User>();
    // @ts-expect-error it comes before the middleware that adds it
    req.role;
    next();
  },
  requireRole('x'),
  (err, req, res, next) => next(same<typeof req.user, User | undefined>()),
  onError,
  (req, res) => {
    same<typeof req.role, 'x'>();
    res.send(req.user.name);
  },
);
app.use('/x', requireUser, (req, res, next) => next(same<typeof req.user, User>()));
app.use(requireUser, (req, res, next) => next(same<typeof req.user, User>()));
app.get('/', [auth, requireUser], (req, res) => res.send(req.user.name));
app.get('/', requireUser, [(req, res, next) => next(req.user.name)], (req, res) => res.send(req.user.name));
// Error handlers also get errors of what adds and validates.
router5.use((err: Error, req: web.Request & { user?: User }, res: web.Response, next: web.NextFunction) =>
  next(err),
);
app.post('/', requireUser, web.validate({ body: Name }), (err: unknown, req, res, next) => {
  // @ts-expect-error requireUser may have failed
  req.user.name;
  same<typeof req.body, any>();
  next(err);
});
app.ws('/:room', requireUser, (socket, req) => {
  same<typeof req.user, User>();
  socket.send(req.params.room + req.user.name);
});
app.ws('/:room', { maxPayload: '1kb' }, requireUser, (socket, req) => socket.send(req.user.name));
app.ws('/:room', auth, requireUser, (socket, req) => socket.send(req.user.name));
app.ws('/:room', auth, (socket, req) => {
  // @ts-expect-error nothing adds it
  req.user;
});
// Any number of handlers.
app.get('/', auth, auth, auth, auth, auth, auth, auth, auth, auth, requireUser, auth, auth, (req, res) => {
  same<typeof req.user, User>();
  res.send('x');
});

// Handlers in a file of their own say what they need.
const me = (req: web.Request & { user: User }, res: web.Response): void => void res.send(req.user.name);
app.get('/me', requireUser, me);
// @ts-expect-error the user is missing
app.get('/me', auth, me);
// @ts-expect-error the user is missing
app.get('/me', requireAdmin, me);
// @ts-expect-error the user is missing
app.get('/me', requireRole('x'), me);

// The router that `use` returns, and the route that `route.all` returns, have the members too.
const router = web
  .Router()
  .use(auth)
  .use(requireUser, requireRole('x'))
  .use(web.validate({ query: Tenant }));
router.get('/:id', (req, res) => {
  same<typeof req.user, User>();
  same<typeof req.role, 'x'>();
  same<typeof req.query, { tenant: string }>();
  same<typeof req.params, { id: string }>();
  res.send('x');
});
router.get('/:id', auth, web.validate({ query: Page }), (req, res) => {
  same<typeof req.user, User>();
  same<typeof req.query, { tenant: string; page: number }>();
  res.send('x');
});
router.use((req, res, next) => next(req.user.name));
router.post('/me', requireAdmin, me).get('/me', me);
router.route('/me').get((req, res) => res.send(req.user.name));
router.ws('/:room', (socket, req) => {
  same<typeof req.user, User>();
  same<typeof req.role, 'x'>();
  socket.send(req.params.room + req.query.tenant);
});
router.ws('/:room', { maxPayload: '1kb' }, (_, req) => same<typeof req.user, User>());
router.ws('/:room', auth, requireAdmin, (socket, req) => socket.send(req.params.room));
router.ws('/:room', requireAdmin, (_, req) => same<typeof req.admin, true>());
router.ws('/:room', { message: Name }, auth, (socket, req) => {
  same<typeof req.user, User>();
  socket.on('message', message => void same<typeof message, { name: string }>());
});
app.use('/users', router);

// A router can declare the parameters of the path under which it is mounted.
const tenants = web.Router<{ tenant: string }>({ mergeParams: true });
tenants.get('/:id', (req, res) => {
  same<typeof req.params, { tenant: string; id: string }>();
  res.send(req.params.tenant);
});
tenants.use(requireUser).get('/', (req, res) => res.send(req.params.tenant + req.user.name));
tenants.get('/:id', web.validate({ params: Ids }), (req, res) => res.json(req.params.id.toFixed()));
tenants.get('/:id', (err: unknown, req, res, next) =>
  next(same<typeof req.params, { tenant: string; id: string }>()),
);
tenants.route('/:id').get((req, res) => res.send(req.params.tenant + req.params.id));
tenants.ws('/:room', (socket, req) => socket.send(req.params.tenant + req.params.room));
app.use('/tenants/:tenant', tenants);
// @ts-expect-error without mergeParams, a router has only its own
web.Router<{ tenant: string }>();
web.Router({ mergeParams: true }).get('/:id', (req, res) => {
  same<typeof req.params, { id: string }>();
  res.send('x');
});
app.get('/', router, (req, res) => {
  // @ts-expect-error a router may be left by any of its layers
  req.user.name;
});
app
  .route('/:id')
  .all(requireUser, web.validate({ params: Ids }))
  .get((req, res) => {
    same<typeof req.user, User>();
    same<typeof req.params, { id: number }>();
    res.send('x');
  })
  .put(web.validate({ body: Name }), (req, res) => res.send(req.user.name + req.body.name))
  .post((req, res) => {
    // @ts-expect-error that of PUT is not for POST
    res.send(same<typeof req.body, { name: string }>());
  });
const api = web().use(web.json(), requireUser);
api.get('/', (req, res) => res.send(req.user.name));
const env: string | undefined = api.get('env');
const mountable: web.Router = router;
web()
  .use('/x', requireUser)
  .get('/', (req, res) => {
    // @ts-expect-error only for /x
    req.user.name;
  });

// Schemas for one part are merged.
app.post(
  '/:id',
  web.validate({ query: Tenant, body: Name }),
  auth,
  web.validate({ query: Page, params: Ids }),
  (req, res) => {
    same<typeof req.query, { tenant: string; page: number }>();
    same<typeof req.params, { id: number }>();
    same<typeof req.body, { name: string }>();
    res.send('x');
  },
);

// Types that the compiler cannot follow are unknown.
declare const several: (RequestHandler | typeof checkIds)[];
const checkIds = web.validate({ params: Ids, query: Page });
declare const schemas: web.Schemas;
declare const flag: boolean;
app.get('/:id', several, (req, res) => {
  same<typeof req.params, unknown>();
  same<typeof req.query, unknown>();
  res.send('x');
});
app.get('/:id', web.validate(schemas), (req, res) => {
  same<typeof req.params, unknown>();
  res.send('x');
});
app.get('/:id', flag ? checkIds : auth, (req, res) => {
  same<typeof req.params, unknown>();
  res.send('x');
});
app.get('/:id', [auth, checkIds] as const, (req, res) => res.json(req.params.id.toFixed()));

// A test declares the type of a response.
void app.inject('/').then(({ json }) => same<ReturnType<typeof json<User>>, User>());
export { env, mountable };

// A router in a file of its own declares what the middleware before it adds, and is mounted only behind it.
const notes = web.Router<{}, { user: User }>();
notes.get('/:id', (req, res) => {
  same<typeof req.user, User>();
  same<typeof req.params, { id: string }>();
  res.send(req.user.name);
});
notes.use(auth).post('/', requireAdmin, web.validate({ body: Name }), (req, res) => {
  same<typeof req.user, User>();
  same<typeof req.admin, true>();
  res.send(req.body.name);
});
notes.route('/x').get(me);
notes.param('id', (req, res, next) => next());
notes.ws('/feed', (socket, req) => socket.send(req.user.name));
app.use('/notes', requireUser, notes);
app.use('/notes', auth, requireUser, notes, onError);
app.use('/notes', [auth, requireUser], notes);
app.use(requireUser, notes);
web().use(requireUser).use('/notes', notes).use(notes);
web.Router().use(requireUser).use('/notes', notes);
// @ts-expect-error nothing adds the user
app.use('/notes', notes);
// @ts-expect-error nothing adds the user
app.use(notes);
// @ts-expect-error something else is added
app.use('/notes', requireRole('x'), notes);
// @ts-expect-error it comes too late
app.use('/notes', notes, requireUser);
// @ts-expect-error it has another type
app.use('/notes', addUser, notes);
declare const addUser: web.Adds<{ user: number }>;
const own = web.Router<{ tenant: string }, typeof requireUser>({ mergeParams: true });
own.get('/:id', (req, res) => {
  same<typeof req.params, { tenant: string; id: string }>();
  same<typeof req.user, User>();
  res.send(req.params.tenant);
});
// What it needs may come from the router above it, and from its own middleware.
const nested = web.Router<{}, { user: User }>().use('/:tenant', own).use(requireRole('x'));
nested.get('/', (req, res) => res.send(req.user.name + req.role));
app.use('/nested', requireUser, nested);
// @ts-expect-error nothing adds the user
app.use('/nested', requireRole('x'), nested);
// @ts-expect-error mergeParams is missing
web.Router<{ tenant: string }, { user: User }>();
