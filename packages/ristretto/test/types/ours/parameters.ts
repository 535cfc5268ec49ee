/** Parameters inferred from the path. */
import web, { type RouteParameters } from 'ristretto';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['these types differ']): void {
  /* checked by the compiler */
}
interface Anything {
  [key: string | number]: string;
}

same<RouteParameters<'/'>, {}>();
same<RouteParameters<'/users'>, {}>();
same<RouteParameters<'/users/:id'>, { id: string }>();
same<RouteParameters<'/users/:id/files/:name?'>, { id: string; name?: string }>();
same<RouteParameters<'/:a-:b'>, { a: string; b: string }>();
same<RouteParameters<'/:a.:b'>, { a: string; b: string }>();
same<RouteParameters<'/:from..:to'>, { from: string; to: string }>();
same<RouteParameters<'/:user_1@:Host2'>, { user_1: string; Host2: string }>();
same<RouteParameters<'*'>, { 0: string }>();
same<RouteParameters<'/a/*/b/*'>, { 0: string; 1: string }>();
same<RouteParameters<'/:rest*'>, { rest: string; 0: string }>();
same<RouteParameters<'/:rest*?'>, { rest?: string; 0: string }>();
same<RouteParameters<'/:some+'>, { some: string }>();
same<RouteParameters<'/files/:name/*'>, { name: string; 0: string }>();
same<RouteParameters<string>, Anything>();
same<RouteParameters<'/:id(\\d+)'>['id'], string>();
same<RouteParameters<'/:id(\\d+)'>[0], string>();
same<RouteParameters<'/x:'>, {}>();

const app = web();
app.get('/users/:id/files/:name?', (req, res) => {
  const id: string = req.params.id;
  const name: string | undefined = req.params.name;
  // @ts-expect-error it may be missing
  const always: string = req.params.name;
  // @ts-expect-error it is not in the path
  res.send(req.params.file);
  res.send([id, name, always]);
});
app.get('/files/*', (req, res) => res.send(req.params[0].length));
app.get('/users/:id(\\d+)/(a|b)', (req, res) => res.send(req.params.id + req.params[0]));
app.get(['/:a', '/:b'], (req, res) => res.send(req.params.a ?? req.params.b));
app.get(/^\/(.*)$/, (req, res) => res.send(req.params[0]));
app
  .route('/books/:isbn')
  .get((req, res) => res.send(req.params.isbn))
  // @ts-expect-error it is not in the path
  .post((req, res) => res.send(req.params.title));
app.use('/tenants/:tenant', (req, res, next) => next(req.params.tenant));
app.delete('/:id', async (req, res) => {
  await Promise.resolve();
  return res.json(req.params.id);
});
web.Router().put('/:id', (req, res, next) => next(req.params.id));
