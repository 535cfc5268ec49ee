/**
 * What the library exports compiled against either version. The types are inferred: the declarations that the compiler
 * writes must be valid without our package.
 */
import express from 'express';

const app = express();
const router = express.Router({ mergeParams: true });

export { app, router };
export default express();
export const makeApp = () => express();
export const makeRouter = (caseSensitive: boolean) => express.Router({ caseSensitive });
export const settle = (target: express.Application) => target.set('x', 1).enable('etag');
export const mounted = app.use('/', router);
export const routed = router.get('/:id', (req, res) => res.send(req.params.id));
export const route = router.route('/users/:id');
export const anyRoute = router.route(/x/);
export const server = () => app.listen(0);
export const environment = (target: express.Application): string => target.get('env') as string;
export const stack = router.stack;

export const json = express.json;
export const parsers = [express.json({ limit: 1 }), express.urlencoded({ extended: false }), express.raw()];
export const makeJson = () => express.json({ strict: false });
export const makeText = (options: Parameters<typeof express.text>[0]) => express.text(options);
export const parserFor = { form: express.urlencoded, text: express.text, bytes: express.raw };
export const jsonOptions = (): Parameters<typeof express.json>[0] => ({ limit: '1mb' });
export const files = (folder: string) => express.static(folder, { maxAge: 1 });
export const filesWith = express.static;

export const handler: express.RequestHandler = (req, res) => void res.send(req.path);
export const typed: express.RequestHandler<{ id: string }, { ok: boolean }, { name: string }> = (req, res) =>
  void res.json({ ok: req.body.name === req.params.id });
export const failed: express.ErrorRequestHandler = (err, _req, res, _next) => void res.send(String(err));
export const handlers = [handler, (req: express.Request, res: express.Response) => res.send(req.ip)];
export const query = (req: express.Request) => req.query;
export const ids = (req: express.Request<{ id: string }>) => req.params;
export const params = (req: express.Request) => req.params;
export const ranges = (req: express.Request) => req.range(100);
export const negotiated = (req: express.Request) => req.accepts('html');
export const locals = (res: express.Response) => res.locals;
export const chained = (res: express.Response) => res.status(200).type('html').cookie('a', 'b');
export const sender = (res: express.Response) => res.send;
export const fileSender = (res: express.Response) => res.sendFile.bind(res);
export const download = (res: express.Response) => res.download;
export const redirect = (res: express.Response) => res.redirect;
export const setCookie = (res: express.Response) => res.cookie;
export const render = (res: express.Response) => res.render;
export const clear = (...args: Parameters<express.Response['clearCookie']>) => args;
export const engine = () => app.engine.bind(app);
export const use = app.use;
export const param = router.param;
export const next = (next: express.NextFunction) => next;
export const nextOf = (req: express.Request) => req.next;
export const appOf = (req: express.Request) => req.app;
export const responseOf = (req: express.Request) => req.res;
export const paramHandler: express.RequestParamHandler = (_req, _res, next) => next();
export const prototypes = { request: express.request, response: express.response, app: express.application };
export const make = () => ({ router: express.Router(), app: express(), get: router.get });
export class Controller {
  router = express.Router();
  json = express.json();
  show = (_req: express.Request, res: express.Response) => res.json({});
}
export const withLocals = (res: express.Response<string, { user: string }>) => res;
export const withQuery = (
  req: express.Request<{ a: string; b?: string }, unknown, unknown, { page?: string }>,
) => ({ ...req.params, ...req.query });
