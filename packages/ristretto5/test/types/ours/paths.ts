/** Parameters inferred from paths in the syntax of Express 5, and a typical program with typed handlers. */
import web from 'ristretto5';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): T | undefined => value;

is<Same<web.RouteParameters<'/users/:id'>, { id: string }>>();
is<Same<web.RouteParameters<'/users/:id{/:tab}'>, { id: string; tab?: string }>>();
is<Same<web.RouteParameters<'/files/*rest'>, { rest: string[] }>>();
is<Same<web.RouteParameters<'/:from-:to.json'>, { from: string; to: string }>>();
is<Same<web.RouteParameters<'/a{/:b{/*c}}'>, { b?: string; c?: string[] }>>();
is<Same<web.RouteParameters<'/:"a b"'>, { 'a b': string }>>();
is<Same<web.RouteParameters<'/plain'>, {}>>();

const app = web();
app.use(web.json(), web.urlencoded({ extended: true }), web.static('public'));
app.get('/users/:id{/:tab}', async (req, res) => {
  const id: string = req.params.id;
  const tab: string | undefined = req.params.tab;
  // @ts-expect-error there is no such parameter
  void req.params.name;
  res.status(200).set('X-A', 'b').json({ id, tab, host: req.host });
});
app.get('/files/*rest', (req, res) => {
  res.send(req.params.rest.join('/'));
});
app.use((req, res, next) => {
  res.locals.page = req.query.page;
  next();
});
app.use(((error, _req, res, _next) => {
  res.status(500).send(error.message);
}) as web.ErrorRequestHandler);
app.use('/api', new web.Router({ mergeParams: true }), web.Router());
app
  .route('/books/:isbn')
  .get((req, res) => void res.redirect(301, req.params.isbn))
  .post((_req, res) => void res.sendStatus(201));
app.param('isbn', (_req, _res, next, value: string) => next(value ? undefined : 'route'));
app.listen(3000, (error?: Error) => {
  if (error) throw error;
});
// @ts-expect-error removed by 5
void app.del;
// @ts-expect-error removed by 5
app.get('/x', (_req, res) => void res.sendfile('x'));
