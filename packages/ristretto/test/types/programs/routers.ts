/** Routers that are extended, wrapped and passed around. */
import express, { type IRouter, type Router } from 'express';
import type { IRoute, IRouterMatcher } from 'express-serve-static-core';
import { EventEmitter } from 'node:events';

interface NamedRouter extends Router {
  title: string;
}
const named: NamedRouter = Object.assign(express.Router(), { title: 'n' });
named.get('/', (req, res) => res.send(named.title)).post('/', (req, res) => res.end());
const again: NamedRouter = named.use((req, res, next) => next());

abstract class Base {
  protected readonly router: Router = express.Router();
  readonly path: string = '/';
  abstract routes(): void;
  mount(target: IRouter): void {
    target.use(this.path, this.router);
  }
}
class Users extends Base {
  override readonly path = '/users';
  routes(): void {
    this.router.get('/:id', this.show).delete('/:id', this.remove.bind(this));
  }
  private show(req: express.Request, res: express.Response): void {
    res.send(req.params.id);
  }
  private async remove(req: express.Request, res: express.Response): Promise<void> {
    res.sendStatus(204);
  }
}
const users = new Users();
users.routes();
users.mount(express());
users.mount(again);

class Server {
  app: express.Application;
  events = new EventEmitter();
  constructor(
    routes: { prefix: string; router: Router }[],
    private readonly port = 3000,
  ) {
    this.app = express();
    for (const { prefix, router } of routes) this.app.use(prefix, router);
  }
  listen(): void {
    this.app.listen(this.port, '0.0.0.0', () => this.events.emit('ready'));
  }
}
new Server([{ prefix: '/', router: again }]).listen();

function each(router: IRouter, methods: ('get' | 'post')[], path: string): IRoute<string> {
  for (const method of methods) router[method](path, (req, res) => res.end());
  return router.route(path);
}
const route = each(again, ['get'], '/x');
route
  .get((req, res) => res.end())
  .stack.forEach(layer => console.log(layer.method, layer.regexp.source, layer.name));
again.stack.filter(layer => layer.route).map(layer => layer.route!.path);
const get: IRouterMatcher<unknown> = again.get.bind(again);
get('/y', (req, res) => res.end());

const app = express();
app.get('/chain', (req, res) => res.end()).listen(0);
app
  .use('/v1', again)
  .use(express.json())
  .set('x', 1)
  .engine('x', () => undefined);
const { get: read } = app;
read('x');
function configure(target: express.Express): express.Express {
  return target.use(again);
}
configure(app).response.json({});
