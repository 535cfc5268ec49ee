/** A typed program in the style of 2013: what it reads and calls has types, and mistakes are found. */
import http = require('node:http');
import web = require('express');

const app: web.Application = web();

app.configure(function () {
  this.set('views', 'views').set('view engine', 'jade');
  this.use(web.logger('dev'));
  this.use(web.bodyParser());
  this.use(web.cookieParser('secret'));
  this.use(web.session({ secret: 's' }));
  this.use(app.router);
  this.use('/public', web.static('public', { maxAge: 1000 }));
});
app.configure('development', () => {
  app.use(web.errorHandler());
});
app.configure('production', 'staging', () => app.enable('view cache'));

app.locals({ title: 'Blog' }).title.toUpperCase();
const settings: unknown = app.locals.settings;

app.param('user', (req, _res, next, id, name) => {
  req.session.user = [id, name.toUpperCase()];
  next();
});
app.param(['a', 'b'], (_req, _res, next) => next());
app.param(
  (name, expression) => (_req, _res, next) => next(name === String(expression) ? 'route' : undefined),
);
app.param('id', /^\d+$/);

const restrict: web.RequestHandler = (req, res, next) => {
  if (req.session.user) next();
  else res.redirect('login');
};

app.get('/users/:user/posts/:post?', restrict, (req, res) => {
  const user: string = req.params.user;
  const post: string | undefined = req.params.post;
  // @ts-expect-error -- the path has no such parameter
  const other: unknown = req.params.other;
  res.locals({ user, post, other });
  res.locals.more = 1;
  res.render('post', { user });
});

app.all('/api/*', [restrict, [restrict]], (req: web.Request, res: web.Response) => {
  const accepted: string | undefined = req.accepts('html, json');
  const isJson: boolean = req.is('json');
  const [best] = req.accepted;
  const quality: number | undefined = best?.quality;
  const languages: string[] = req.acceptedLanguages;
  const charset: boolean = req.acceptsCharset('utf-8');
  const credentials: { username: string; password: string } | undefined = req.auth;
  const facts = [req.ip, req.host, req.protocol, req.files.photo.path, req.signedCookies.a, req.param('x')];
  res.charset = 'utf-8';
  res.on('header', () => res.setHeader('X-A', String(res.headerSent)));
  res.send(404);
  res.send(200, { accepted, isJson, quality, languages, charset, credentials, facts });
  res.json(500, { error: 'x' }).status(500).jsonp(200, 'y').links({ next: '/' }).type('json');
  res.sendfile('a.txt', { root: '.' }, err => void err.message);
  res.download('a.txt', 'b.txt');
  // @ts-expect-error -- a status is a number
  res.status('404');
});

app.del('/posts/:id', (req, res) => res.send(204, req.route.path));
app.get(/^\/(\d+)$/, (req, res) => res.send(req.params[0]));
app.use((err: Error, _req: web.Request, res: web.Response, _next: web.NextFunction) =>
  res.send(500, err.message),
);

const admin = web();
admin.on('mount', (parent: web.Application) => parent.get('title'));
app.use('/admin', admin).use(http.createServer());
app.routes.get = app.routes.get!.filter(({ path, method, keys }) => path !== method || keys[0]!.optional);
app.stack.splice(1, 1);
const router = new web.Router({ strict: true });
router.get('/x', restrict).post('/y', restrict);
app.use(router.middleware);
app.engine('html', (_file, _options, done) => done(null, ''));
app.render('x', { a: 1 }, (_err, html) => html.length);
http.createServer(app).listen(app.get('port') as number);
const version: string = web.version + web.mime.lookup('a') + app.route + app.path();
web.request.auth;
// @ts-expect-error -- it can't be called
web.application();
// @ts-expect-error -- a secret is text
app.use(web.cookieParser(5));
export { settings, version };
