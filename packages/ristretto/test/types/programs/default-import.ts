/** The usual program: default import with named types, typed handlers, middleware, a server. */
import express, {
  type ErrorRequestHandler,
  type Handler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import * as http from 'node:http';
import * as path from 'node:path';

const app = express();

app.set('trust proxy', 1).enable('case sensitive routing').disable('x-powered-by');
app.set('views', path.join(__dirname, 'views'));
app.set('view engine', 'ejs');
app.set('title', { of: 'the application' });
const environment: string = app.get('env');
const title = app.get('title').of;
const views = app.get('views');
path.join(views, environment, title);

app.use(express.json({ limit: '1mb', strict: false, reviver: (key, value) => value }));
app.use(express.urlencoded({ extended: true, parameterLimit: 10 }));
app.use(express.text({ type: ['text/*'], defaultCharset: 'utf-8' }), express.raw({ inflate: false }));
app.use(
  '/static',
  express.static(path.join(__dirname, 'public'), { maxAge: '1d', index: false, dotfiles: 'deny' }),
);
app.use(
  express.static('files', {
    setHeaders: (res, file, stat) => res.set('X-File', file).set('X-Size', stat.size),
  }),
);

const logger: RequestHandler = (req, res, next) => {
  console.log(req.method, req.originalUrl, res.statusCode);
  next();
};
const nothing: Handler = (req, res, next) => next('route');
app.use(logger, nothing);
app.use([logger, [nothing]].flat());
app.use(['/a', /^\/b/], logger);
app.use((req, res, next) => {
  res.locals.user = 'ada';
  next();
});

app.get('/', (req, res) => res.send('Hello'));
app.get('/json', (req, res) => res.status(201).json({ ok: true }));
app.get('/void', (_req, res) => {
  res.sendStatus(204);
});
app.get('/async', async (req: Request, res: Response) => {
  await Promise.resolve();
  res.json({ query: req.query.name, ip: req.ip });
});
app.get('/async-value', async (req, res) => res.json(await Promise.resolve(1)));
app.get('/mixed', (req: Request, res: Response, next: NextFunction) => {
  if (req.query.stop) return next(new Error('stop'));
  if (req.query.skip) {
    next('router');
    return;
  }
  res.end();
});
app.get(/^\/reg(exp)?$/, (req, res) => res.send(req.params[0]));
app.get(['/one', '/two'], (req, res) => res.send(req.params.anything));
app.post('/body', (req, res) => res.send(req.body.whatever.is.there));
app.all('*', logger);
app['m-search']('/search', logger);

app
  .route('/books/:id')
  .all(logger)
  .get((req, res) => res.send(req.params.id))
  .post([logger, nothing], logger);

app.param('id', (req, res, next, value, name) => {
  console.log(name.toUpperCase(), value.anything);
  next();
});
app.param(['a', 'b'], (req, res, next, id: string) => next(id ? undefined : 'route'));

const router = Router({ mergeParams: true, strict: true, caseSensitive: false });
router.param('user', (req, res, next, id) => next());
router.use(logger).get('/x', logger).post('/y', logger);
app.use('/router', logger, router);

const onError: ErrorRequestHandler = (err, req, res, next) => {
  if (res.headersSent) return next(err);
  res.status(err.status || 500).json({ error: err.message });
};
app.use(onError);
app.use((err: Error, req: Request, res: Response, next: NextFunction) => {
  res.status(500).send(err.message);
});
app.use('/path', (err: any, req: Request, res: Response, next: NextFunction) => next(err));

const server: http.Server = app.listen(3000, () => console.log('ready'));
app.listen();
app.listen(80, '127.0.0.1', 511, () => undefined);
app.listen('/tmp/socket');
app.listen(process.env.PORT || 3000, () => undefined);
http.createServer(app).listen(0);
server.close();

const mounted = express();
mounted.on('mount', parent => parent.set('mounted', true));
app.use(mounted);
app.use('/mounted', mounted);
app.get('/mounted', mounted);
const where: string | string[] = mounted.mountpath;
console.log(where, mounted.path(), app.locals.anything, app.settings.views);
app.locals.title = 'x';
app.engine('html', (file, options, done) => done(null, file));
app.render('index', { cache: true }, (err, html) => console.log(err.message, html.length));
app.render('index', (err: Error, html: string) => undefined);
app._router.stack.forEach((layer: any) => console.log(layer.route));
app(new http.IncomingMessage(null as any), new http.ServerResponse(null as any));
