/** Middleware that is independent of the framework, and Node's servers. */
import express from 'express';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as http from 'node:http';
import * as https from 'node:https';
// @ts-expect-error -- there is no such package, as where one has no types
import timeout from 'package-without-types';

type Next = (err?: unknown) => void;
const app = express();
app.use((req: IncomingMessage, res: ServerResponse, next: Next) => next());
app.use('/x', (req: IncomingMessage, res: ServerResponse) => res.end());
app.get('/y', (req: IncomingMessage & { originalUrl?: string }, res: ServerResponse, next: Next) => next());
app.use((err: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => next(err));
app.get('/a/:b', (req: IncomingMessage, res: ServerResponse) => void res.end(req.url));
app.post(
  '/b',
  express.json({ verify: (req, res, buffer, encoding) => console.log(buffer.length, encoding) }),
);
app.post('/c', express.raw({ type: req => req.headers['x-raw'] === '1', limit: 5 }));

const listener: RequestListener = app;
http.createServer(listener);
http.createServer({ keepAlive: true }, app);
https.createServer({}, app);
app.use(express.static('x') as express.RequestHandler);
const parser: express.RequestHandler = express.json();
const files: express.Handler = express.static('x', {
  fallthrough: false,
  extensions: ['html'],
  redirect: false,
});
app.use(parser, files);
app.use('/d', parser, files, (req, res) => res.end());
const handlers = [parser, files];
app.use(...handlers);
app.use('/e', ...handlers);
app.use(handlers, handlers);
const middleware = express.urlencoded({ extended: false });
middleware({} as IncomingMessage, {} as ServerResponse, () => undefined);

/** As morgan and pino-http are typed: the parameters of callbacks are inferred from where the middleware is used. */
interface Logging<Req, Res> {
  skip?(req: Req, res: Res): boolean;
}
declare function logger<Req extends IncomingMessage, Res extends ServerResponse>(
  format: string,
  options?: Logging<Req, Res>,
): (req: Req, res: Res, next: Next) => void;
declare function unconstrained<Req = IncomingMessage, Res = ServerResponse>(
  options?: Logging<Req, Res>,
): (req: Req, res: Res, next?: () => void) => void;
app.use(logger('tiny', { skip: (req, res) => req.url === '/health' && res.statusCode < 400 }));
app.use('/logged', logger('tiny', { skip: (req, res) => req.url === '/' && res.statusCode < 400 }));
app.get('/logged/:id', logger('tiny', { skip: (req, res) => req.url === '/' && res.headersSent }));
app.get('/logged', logger('tiny'), (req, res) => void res.send(req.path));
app.use(unconstrained({ skip: (req, res) => req.url === '/' || res.statusCode < 400 }));
express.Router().use(logger('tiny', { skip: (req, res) => res.statusCode < 400 }), unconstrained());
// @ts-expect-error -- statuses are numbers
app.use(logger('tiny', { skip: (req, res) => res.statusCode === 'x' }));

/** What comes from a package without types is not quite `any`: a condition on it is `any`, too. */
app.get('/f/:id', timeout('5s'), (req, res) => void res.json(req.params.id));
app.use(timeout('5s'), (req, res) => void res.json(req.query));
app.route('/f/:id').put(timeout('5s'), timeout('1s'), (req, res) => void res.json(req.params.id));
