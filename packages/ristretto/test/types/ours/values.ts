/** What `@types/express` lacks: constructors, old names, links and headers. */
import web, {
  Route,
  Router,
  application,
  json,
  query,
  raw,
  request,
  response,
  text,
  urlencoded,
} from 'ristretto';

const app = web();
const router = web.Router({ strict: true });
app.use(router, Router());
const route = new web.Route('/users/:id');
route.get((req, res) => res.send(req.params.id));
const methods: boolean | undefined = new Route('/').methods['get'];

app.use(
  web.query(),
  web.query(text => new URLSearchParams(text)),
  query({ depth: 2, comma: true }),
);
app.use(json(), raw(), text(), urlencoded());
const type: string = web.static.mime.lookup('a.html');
const extension: string | undefined = web.static.mime.extension('text/html');
application.get('env');
request.accepts('html');
response.status(200);

app.del('/old/:id', (req, res) => res.send(req.params.id));
app.on('mount', parent => parent.path()).on('error', (error: Error) => error.message);
app.once('mount', () => undefined).emit('x');
app(undefined as never, undefined as never, error => error);

interface Links {
  next: string;
}
const links: Links = { next: '/2' };
app.use((req, res) => {
  res
    .links(links)
    .set('X-Count', 5)
    .set('X-Flag', true)
    .vary(['Accept', 'Cookie'])
    .append('A', ['b'] as const);
  res.download('file', { root: 'files' }, error => error.message);
  // @ts-expect-error a link is text
  res.links({ next: 5 });
  res.format({
    html: (request, response) => response.send(request.path),
    default: (_req, _res, next) => next(),
  });
  req.is('html', 'json');
  req.acceptsCharset('utf-8');
  req.acceptsEncoding('gzip');
  req.acceptsLanguage('en');
  req.accepts(['html', 'json'] as const);
});

const asynchronous: web.RequestHandler = async (req, res) => {
  await Promise.resolve();
  return res.send('x');
};
const failing: web.ErrorRequestHandler = async (err, req, res, next) => {
  await Promise.reject(err);
  next();
};
app.use(asynchronous, failing);
const options: web.ServeStaticOptions & web.SendFileOptions & web.DownloadOptions = { maxAge: 1 };
const settings: web.Settings['env'] = 'test';
export { methods, type, extension, options, settings };
