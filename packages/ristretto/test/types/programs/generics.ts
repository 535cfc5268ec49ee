/** Explicit type arguments: parameters, bodies, queries and locals. */
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type * as core from 'express-serve-static-core';
import type {
  ParamsDictionary,
  PathParams,
  Query,
  RequestHandlerParams,
  RouteParameters,
} from 'express-serve-static-core';

interface User {
  id: number;
  name: string;
}
interface Id {
  id: string;
}
interface Page {
  page?: string;
  size?: string;
}
interface Failure {
  message: string;
}
interface State {
  user: User;
}

const app = express();
app.get<Id, User | Failure, never, Page, State>('/users/:id', (req, res) => {
  const id: string = req.params.id;
  const page: string | undefined = req.query.page;
  const user: User = res.locals.user;
  if (id === page) return res.status(404).json({ message: 'none' });
  return res.json(user);
});
app.post<'/users', {}, User, Omit<User, 'id'>>('/users', (req, res) => {
  res.json({ id: 1, name: req.body.name });
});
app.put('/users/:id', (req: Request<Id, User, User>, res: Response<User>) => {
  res.send({ ...req.body, id: Number(req.params.id) });
});
app.get('/typed', (req: Request<{}, {}, {}, Page>, res: Response<unknown, State>, next: NextFunction) => {
  res.json(req.query.size ?? res.locals.user.name);
});
app.get('/plain/:id', (req: Request, res: Response) => {
  res.json(req.params.id.length + req.params['other']!.length);
});

const show: RequestHandler<Id, User, unknown, Page, State> = (req, res) => {
  res.json(res.locals.user);
};
app.get('/show/:id', show);
app.route('/show/:id').get<Id, User, unknown, Page, State>(show);
app.use<Id, User, unknown, Page, State>('/show/:id', show);
express.Router({ mergeParams: true }).get<Id>('/', (req, res) => res.send(req.params.id));

type Validated<Body> = RequestHandler<ParamsDictionary, any, Body>;
function validate<Body>(check: (value: unknown) => value is Body): Validated<Body> {
  return (req, res, next) => (check(req.body) ? next() : res.sendStatus(400));
}
app.post(
  '/validated',
  validate((value): value is User => true),
  (req, res) => {
    const name: string = req.body.name;
    res.send(name);
  },
);

interface TypedRequest<Body> extends Request {
  body: Body;
}
interface AuthenticatedRequest extends Request {
  user: User;
}
app.post('/typed', (req: TypedRequest<User>, res: Response) => res.send(req.body.name));
const account = (req: Request, res: Response): void => {
  const { user } = req as AuthenticatedRequest;
  res.json(user);
};
app.get('/account', account);

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
interface Definition {
  method: Method;
  path: PathParams;
  handlers: RequestHandlerParams[];
}
function define(target: core.Router, { method, path, handlers }: Definition): void {
  target[method](path, ...handlers);
}
define(express.Router(), { method: 'get', path: '/', handlers: [account, [account]] });

const prefix: string = '/dynamic';
app.get(`${prefix}/:id`, (req, res) => res.send(req.params.id));
app.get(prefix, (req, res) => res.send(req.params.anything));
app.get('/:from-:to', (req, res) => res.send(req.params.from + req.params.to));
app.get('/:file.:ext', (req, res) => res.send(req.params.file + req.params.ext));
app.get('/:id(\\d+)', (req, res) => res.send(req.params.id + req.params[0]));
app.get('/:a/:b?', (req, res) => {
  const b: string | undefined = req.params.b;
  res.send(b ?? req.params.a);
});
type Parameters = RouteParameters<'/users/:user/books/:book'>;
const parameters: Parameters = { user: 'a', book: 'b' };
const query: Query = { a: 'b', c: ['d', { e: 'f' }], g: { h: 'i' } };

const legacy: core.Express = app;
const layers: core.ILayer[] = legacy.stack ?? [];
const dictionary: core.Dictionary<number> = { one: 1 };
const locals: core.Locals = {};
const range: core.ByteRange = { start: 0, end: 1 };
const next: core.NextFunction = () => undefined;
const files: core.SendFileOptions & core.DownloadOptions = { root: '/', headers: { a: 'b' }, start: 1 };
const param: core.RequestParamHandler = (req, res, done, value, name) => done();
const use: core.ApplicationRequestHandler<core.Application> = app.use;
const matcher: core.IRouterMatcher<core.Express, 'get'> = app.get;
const failed: core.Errback = (error: Error) => console.log(error.message);
const send: core.Send<string, void> = body => console.log(body?.length);
const status: Response<User, {}>['status'] = code => ({}) as never;
const fixed = (res: core.Response<string, {}, 200 | 404>): void => void res.status(404).send('none');
const cookie: core.CookieOptions = { expires: new Date(), encode: value => value };
const ranges = (found: core.RequestRanges): string => found.type + found[0]!.start;
const handle: core.Handler = (req, res) => res.end();
const ids: core.Params = { id: '1', 0: 'x' };
const stateful: core.Application<State> = app as any;
const named: string = stateful.locals.user.name;
export {
  parameters,
  query,
  layers,
  dictionary,
  locals,
  range,
  next,
  files,
  param,
  use,
  matcher,
  failed,
  send,
};
export { status, fixed, cookie, ranges, handle, ids, named };
