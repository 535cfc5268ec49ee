/** A typical Express 5 application: most members, in the forms of the documentation. */
import express, {
  type Application,
  type CookieOptions,
  type ErrorRequestHandler,
  type Express,
  type Handler,
  type IRoute,
  type NextFunction,
  type Request,
  type RequestHandler,
  type RequestParamHandler,
  type Response,
  Router,
} from 'express';
import type * as core from 'express-serve-static-core';
import type { ParamsDictionary, Query, RouteParameters, Send } from 'express-serve-static-core';
import * as http from 'node:http';
import { join } from 'node:path';

interface User {
  id: number;
  name: string;
}
interface Page {
  page?: string;
  size?: string;
}

const users = new Map<string, User>();
const app: Express = express();

app.set('trust proxy', 'loopback').set('query parser', 'extended').set('view engine', 'pug');
app.set('views', [join(__dirname, 'views')]);
app
  .enable('strict routing')
  .disable('x-powered-by')
  .set('etag', (body: Buffer | string) => `"${body.length}"`);
app.engine('html', (path, options, callback) => callback(null, `${path}${Object.keys(options).length}`));
app.locals.title = 'Users';
const flags: boolean[] = [app.enabled('etag'), app.disabled('view cache')];
const environment: string = app.get('env');

app.use(express.json({ limit: '1mb', type: ['application/json'] }), express.urlencoded({ extended: false }));
app.use(express.text(), express.raw({ type: 'application/octet-stream' }));
app.use(
  '/assets',
  express.static('public', { maxAge: '1d', dotfiles: 'allow', setHeaders: res => res.set('X-A', '1') }),
);

const log: RequestHandler = (req, res, next) => {
  const start = Date.now();
  res.on('finish', () => console.log(req.method, req.originalUrl, res.statusCode, Date.now() - start));
  next();
};
const skip: Handler = (_req, _res, next) => next('router');
const authenticate = async (req: Request, res: Response, next: NextFunction): Promise<void> => {
  const token = req.get('Authorization')?.split(' ')[1];
  if (token === undefined) {
    res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'who are you?' });
    return;
  }
  res.locals.user = await Promise.resolve({ id: 1, name: token });
  next();
};
app.use(log);
app.use(['/admin', /^\/private/], authenticate, skip);

const router = Router({ mergeParams: true, caseSensitive: true, strict: true });
const findUser: RequestParamHandler = (_req, res, next, id: string, name) => {
  res.locals[name] = users.get(id);
  next(users.has(id) ? undefined : 'route');
};
router.param('id', findUser);
router
  .route('/:id')
  .all(log)
  .get((req, res) => {
    res.json(users.get(req.params.id));
  })
  .put<{ id: string }, User, Omit<User, 'id'>>((req, res) => {
    const user = { id: Number(req.params.id), name: req.body.name };
    users.set(req.params.id, user);
    res.status(201).location(`/users/${req.params.id}`).json(user);
  })
  .delete((req, res) => {
    users.delete(req.params.id);
    res.sendStatus(204);
  });
router.get<{}, User[], unknown, Page>('/', (req, res) => {
  const page = Number(req.query.page ?? 1);
  res.links({ next: `/users?page=${page + 1}` }).json([...users.values()].slice(page));
});
router.post('/', async (req: Request<ParamsDictionary, User, User>, res: Response<User>) => {
  users.set(String(req.body.id), await Promise.resolve(req.body));
  res.cookie('last', req.body.id, { httpOnly: true, maxAge: 1000, sameSite: 'lax' }).json(req.body);
});
app.use('/users', router);

app.get('/', (req, res) => {
  const page: Query[string] = req.query.page;
  res.format({
    html: () => res.render('index', { page }),
    json: () => res.json({ page, host: req.host, ip: req.ip, secure: req.secure }),
    default: () => void res.status(406).end(),
  });
});
app.get('/files{/:version}/*path', (req, res) => {
  const version: string | undefined = req.params.version;
  res.sendFile(req.params.path.join('/'), { root: `files/${version ?? 'latest'}` }, error => {
    if (error) res.status(404).send(error.message);
  });
});
app.get(/^\/reports\/(?<year>\d{4})$/, (req, res) => {
  const year: string = req.params.year!;
  res.attachment(`${year}.pdf`).download(`reports/${year}.pdf`, `report-${year}.pdf`);
});
app.get('/about', (req, res) => {
  const accepted = [req.accepts('html', 'json'), req.acceptsLanguages(['en', 'fr']), req.is('json')];
  res.vary('Accept').append('X-Seen', 'yes').type('html').send(accepted.join());
});
app.get('/old', (_req, res) => res.redirect(301, '/about'));
app.get('/logout', (_req, res) => void res.clearCookie('last', { path: '/' }).redirect('/'));
app.get('/ranges', (req, res) => {
  const ranges = req.range(1000, { combine: true });
  if (Array.isArray(ranges)) res.status(206).jsonp(ranges.map(({ start, end }) => [start, end]));
  else res.end(String(req.fresh || req.stale || req.xhr) + req.subdomains.join() + req.protocol + req.path);
});

const patched: RequestHandler = (_req, res, next) => {
  const send: Send<unknown, Response> = res.send.bind(res);
  res.send = body => send(body);
  next();
};
app.use(patched);
app.all('/{*splat}', (req, res) => {
  res.status(404).send(`${req.baseUrl}${req.hostname}${req.params.splat?.join('/') ?? ''}`);
});
const onError: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error);
  res.status(error.status ?? 500).render('error', { error }, (failure, html) => {
    res.send(failure ? 'broken' : html);
  });
};
app.use(onError);

const sub: Application = express();
sub.on('mount', parent => console.log(parent.path(), sub.mountpath));
app.use('/sub', sub);
app.render('mail', { name: 'Ada' }, (error, html) => console.log(error ?? html));
app.param(['id', 'name'], findUser);
const layers: string[] = app.router.stack.map(layer => layer.route?.path ?? layer.name);
const route: IRoute = app.route(environment);
const options: CookieOptions = { secure: true, expires: new Date(), priority: 'high' };
const byCore = (req: core.Request, res: core.Response, next: core.NextFunction): void => {
  res.locals.name = req.params['name'];
  next();
};
app.get('/core/:name', byCore, byCore as core.RequestHandler);
const parameters: RouteParameters<'/:from-:to'> = { from: 'a', to: 'b' };
const server: http.Server = app.listen(0, error => {
  if (error) throw error;
});
http.createServer(app).listen(0, () => server.close());
export { environment, flags, layers, options, parameters, route };
