/** Types inferred in inline handlers: after other middleware, for errors, in arrays, and after `web.validate`. */
import web, { type ErrorRequestHandler, type RequestHandler, type StandardSchema } from 'ristretto5';
import type { ParamsDictionary, ParamsFlatDictionary } from 'express-serve-static-core';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void {
  /* checked by the compiler */
}

declare const auth: RequestHandler;
declare const onError: ErrorRequestHandler;
declare const checkBody: RequestHandler<ParamsDictionary, any, { name: string }>;
declare const organisation: RequestHandler<{ organisation: string }>;
declare const path: string;
declare const User: StandardSchema<{ name: string }>;
declare const Files: StandardSchema<{ path: string[] }>;
const app = web();

// @ts-expect-error it is not in the path
app.get('/a/:id', auth, req => req.params.idd);
app.get('/a/:id', auth, req => same<typeof req.params, { id: string }>());
app.get('/a/:id{/:tab}', auth, req => same<typeof req.params, { id: string; tab?: string }>());
app.get('/a/*rest', [auth, auth], auth, async req => same<typeof req.params, { rest: string[] }>());
app.get('/a/:id', auth, organisation, web.Router(), web(), onError, req =>
  same<typeof req.params, { id: string }>(),
);
app.put(['/a/:id', '/b'], auth, req => same<typeof req.params, ParamsDictionary>());
app.put(path, auth, req => same<typeof req.params, ParamsDictionary>());
app.put(/^\/(?<id>\d+)/, auth, req => same<typeof req.params, ParamsFlatDictionary>());
app.use('/a/:id', auth, (req, _res, _next) => same<typeof req.params, { id: string }>());
app.route('/a/*rest').get(auth, req => same<typeof req.params, { rest: string[] }>());
app.router.get('/a/:id', auth, req => same<typeof req.params, { id: string }>());
app.post('/a/:id', checkBody, req => same<typeof req.body, { name: string }>());
app.get('/a/:id', auth, (_err, req, _res, next) => next(same<typeof req.params, { id: string }>()));
app.use((_err, req, res, next) => next(res.send(req.path)));

app.post('/users/:id', auth, web.json(), web.validate({ body: User }), (req, res) => {
  same<typeof req.body, { name: string }>();
  same<typeof req.params, { id: string }>();
  res.json(req.body.name);
});
app.get('/files/*path', web.validate({ params: Files }), req =>
  same<typeof req.params, { path: string[] }>(),
);
app.get('/files/*file', web.validate({ params: Files }), (_req, res) => {
  // @ts-expect-error path and schema name different parameters
  res.json(1);
});

// Members that Express does not have.
app.use(web.deadline('10s', { retryAfter: 5000 }), web.health({ live: false }), web.requestId());
app.get('/openapi.json', web.openApi(app, { info: { title: 'x', version: '1' } }));
app.use('/docs', web.openApiPage('/openapi.json', { title: 'x' }));
app.get('/events', (req, res) => {
  req.signal.addEventListener('abort', () => undefined);
  const pattern: string | undefined = req.matchedPath;
  res.onSend(body => body).earlyHints({ preload: '/a.css' });
  void res.sse({ heartbeat: 1000 }).send(pattern ?? '');
});
const kinds: string[] = app.routes().map(({ kind }) => kind);
const removed: number = app.remove(auth) + app.router.remove('/a/:id') + app.route('/x').remove('get');
const listed: string[][] = app.router.listRoutes().map(({ methods }) => methods ?? []);
void app.inject({ url: '/' }).then(({ status }) => app.fetch(new Request('http://a/')).then(() => status));
const server = app.listen({ port: 0 }, (error?: Error) => error && console.error(error));
void web.stopOnSignals([server], { timeout: 1 }).then(({ signal }) => signal);
void web.stop(server).then(({ forced }) => forced);
app.listen({ http2: true }).on('session', () => undefined);
app.handle(undefined as never, undefined as never);
new web.Router({ strict: true }).handle(undefined as never, undefined as never, () => undefined);
web.Router.prototype.remove(auth);

// A router that is mounted only behind what adds its members.
declare const requireUser: web.Adds<{ user: { name: string } }>;
const own = web.Router<{ tenant: string }, typeof requireUser>({ mergeParams: true });
own.get('/{:id}', (req, res) => res.json([req.user.name, req.params.tenant, req.params.id]));
app.use('/:tenant/notes', requireUser, own);
// @ts-expect-error nothing adds the user
app.use('/:tenant/notes', own);
export { kinds, listed, removed };
