/** Types inferred in inline handlers: after other middleware, for errors, and in arrays. */
import web, { type ErrorRequestHandler, type RequestHandler } from 'ristretto';
import type { ParamsDictionary, RequestHandlerParams } from 'express-serve-static-core';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void {
  /* checked by the compiler */
}
interface Id {
  id: string;
}

declare const auth: RequestHandler;
declare const onError: ErrorRequestHandler;
declare const checkBody: RequestHandler<ParamsDictionary, any, { name: string }>;
declare const organisation: RequestHandler<{ organisation: string }>;
declare const path: string;
declare const anything: RequestHandlerParams[];
const app = web();

// @ts-expect-error it is not in the path
app.get('/a/:id', auth, req => req.params.idd);
app.get('/a/:id', auth, req => same<typeof req.params, { id: string }>());
app.get('/a/:id', auth, auth, auth, async req => same<typeof req.params, { id: string }>());
app.get('/a/:id/:tab?', auth, (req, res) => same<typeof req.params, { id: string; tab?: string }>());
app.get(
  '/a/:id/:tab?',
  (req, res, next) => {
    same<typeof req.params, { id: string; tab?: string }>();
    next();
  },
  auth,
  (req, res) => same<typeof req.params, { id: string; tab?: string }>(),
);
app.get('/a/:id', [auth, auth], (req, res) => same<typeof req.params, { id: string }>());
app.get('/a/:id', [auth, (req, res) => same<typeof req.params, { id: string }>()]);
app.get('/a/:id', auth, organisation, web.Router(), web(), onError, req =>
  same<typeof req.params, { id: string }>(),
);
app.put(['/a/:id', '/b'], auth, req => same<typeof req.params, ParamsDictionary>());
app.put(path, auth, req => same<typeof req.params, ParamsDictionary>());
app.put(/^\/(\d+)/, auth, req => same<typeof req.params, ParamsDictionary>());
app.use('/a/:id', auth, (req, res, next) => same<typeof req.params, { id: string }>());
app.route('/a/:id').get(auth, req => same<typeof req.params, { id: string }>());

// The body type that middleware declares applies to the handlers after it.
app.post('/a/:id/:tab?', checkBody, req => {
  same<typeof req.body, { name: string }>();
  same<typeof req.params, { id: string; tab?: string }>();
});

// Parameters from outside the path are declared explicitly.
const merged = web.Router({ mergeParams: true });
merged.get<Id>('/', auth, req => same<typeof req.params, Id>());
merged.get('/', auth, (req: web.Request<Id>, res: web.Response) => res.send(req.params.id));
// @ts-expect-error they are not in the path
merged.get('/', auth, req => req.params.id);

// A handler with four parameters is an error handler.
app.use((err, req, res, next) => {
  same<typeof err, any>();
  same<typeof req.params, ParamsDictionary>();
  res.status(500).json(req.path);
  next(err);
});
app.use(auth, (err, req, res, next) => next(req.path));
app.use([auth, (err, req, res, next) => next(req.path)]);
app.use('/a/:id', auth, (err, req, res, next) => next(same<typeof req.params, { id: string }>()));
app.get('/a/:id', auth, (err, req, res, next) => next(same<typeof req.params, { id: string }>()));
app.get(/x/, (err, req, res, next) => next(res.send(req.params[0])));
app.route('/a/:id').all((err, req, res, next) => next(same<typeof req.params, { id: string }>()));
web.Router().use((err, req, res, next) => void res.send(req.url));
app.use((err: Error, req: web.Request, res: web.Response, next: web.NextFunction) => next(err.message));
app.use(((err, req, res, next) => next(err)) as ErrorRequestHandler);
// @ts-expect-error there is no such member
app.use((err, req, res, next) => res.sned(err));

app.use(...anything);
app.get('/', ...anything);
app.use('/x', ...anything, auth);
// @ts-expect-error a handler has three parameters, an error handler four
app.use((err: any, req: any, res: any, next: any, more: any) => undefined);
// @ts-expect-error text is no handler
app.get('/', auth, 'text');
// @ts-expect-error the body has another type
app.post('/a', checkBody, (req: web.Request<{}, any, { name: number }>, res: web.Response) => undefined);
export {};
