/** `import = require`, and types as members of the function. */
import express = require('express');

const app: express.Application = express();
const also: express.Express = express();
const router: express.Router = express.Router();
const options: express.RouterOptions = { mergeParams: true };

function register(target: express.Application, prefix: string): express.Router {
  const made = express.Router(options);
  target.use(prefix, made);
  return made;
}

const handlers: express.RequestHandler[] = [
  (req, res, next) => next(),
  async (req: express.Request, res: express.Response) => {
    res.json(null);
  },
  function (this: void, req, res) {
    res.send();
  },
];
app.get('/list', handlers);
app.get('/spread', ...handlers);
app.get('/both', handlers, handlers[0]!);
app.use(handlers);
app.use('/list', handlers);
router.post('/mixed', handlers, (req: express.Request, res: express.Response) => {
  res.end(req.body);
});

const onError: express.ErrorRequestHandler = (err, req, res, next) => next(err);
also.use(onError);
also.use([onError]);

class Controller {
  constructor(private readonly secret: string) {}
  show: express.RequestHandler = (req, res) => {
    res.send(this.secret);
  };
  list(req: express.Request, res: express.Response, next: express.NextFunction): void {
    Promise.resolve().then(() => res.json([]), next);
  }
  async load(req: express.Request, res: express.Response): Promise<void> {
    res.send(req.params.id);
  }
  async again(req: express.Request, res: express.Response): Promise<express.Response> {
    return res.send(req.params.id);
  }
}
const controller = new Controller('s');
app.get('/show', controller.show);
app.get('/list', controller.list.bind(controller));
app.get('/load/:id', controller.load);
app.get('/again/:id', controller.again);

const wrap =
  (handler: (req: express.Request, res: express.Response, next: express.NextFunction) => Promise<unknown>) =>
  (req: express.Request, res: express.Response, next: express.NextFunction): void => {
    handler(req, res, next).catch(next);
  };
app.get(
  '/wrapped/:id',
  wrap(async (req, res) => res.json(req.params.id)),
);

const wrapHandler =
  (handler: express.RequestHandler): express.RequestHandler =>
  (req, res, next) =>
    Promise.resolve(handler(req, res, next)).catch(next);
app.get('/wrapped', wrapHandler(controller.load));

const delegating: express.RequestHandler = (req, res, next): void => handlers[0]!(req, res, next);
const result: void = delegating({} as express.Request, {} as express.Response, () => undefined);

const cookies: express.CookieOptions = { maxAge: 1, sameSite: 'lax', priority: 'high', partitioned: true };
type Values = [
  typeof express.json,
  typeof express.static,
  ReturnType<typeof express>,
  ReturnType<typeof express.Router>,
  Parameters<typeof express.json>[0],
  express.Handler,
  express.IRoute,
  express.IRouter,
  express.IRouterHandler<unknown>,
  express.IRouterMatcher<unknown>,
  express.MediaType,
  express.Locals,
  express.Send,
  express.Errback,
  express.RequestParamHandler,
];
export { app, also, register, cookies, result };
export type { Values };

express.application.set('x', 1);
express.request.get('x');
express.response.json = function (body) {
  return this.send(body);
};
express.static.mime.define({ 'text/x-log': ['log'] });
app.use(express.query({ depth: 2 }));
