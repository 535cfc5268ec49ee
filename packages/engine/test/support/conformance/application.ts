/** The application that receives the cases: built the same way on both frameworks, and as a bare `node:http` server. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import web from 'ristretto';
import type { Web } from '../oracle.js';

const files = path.join(__dirname, '../../fixtures/conformance');
type Application = ReturnType<Web>;

/** Responds with everything that a case checks: the request line and the content. */
function echo(req: http.IncomingMessage, res: http.ServerResponse): void {
  let content = '';
  req.setEncoding('latin1');
  req.on('data', (piece: string) => (content += piece));
  req.on('end', () => {
    res.end(`${String(req.method)} ${String(req.url)}${content && ` ${JSON.stringify(content)}`}`);
  });
  req.on('error', () => undefined);
}

function addRequestPaths(app: Application): void {
  app.get('/host', (req, res) => void res.send(`host ${req.hostname as string | undefined}`));
  app.get('/field', (req, res) => void res.send(`field ${String(req.headers.x ?? '')}`));
  app.get('/connection', (_req, res) => void res.send(''));
  app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 5));
  app.post('/unread', (_req, res) => void res.send('unread'));
}

function addAnswerPaths(app: Application): void {
  const status = (req: Request): number => Number(req.params.status);
  app.get('/status/:status', (req, res) => {
    res.set(status(req) === 426 ? { Upgrade: 'cup' } : {});
    res.status(status(req)).send('content');
  });
  app.get('/end/:status', (req, res) => void res.status(status(req)).end('content'));
  app.get('/length/:status', (req, res) => void res.status(status(req)).set('Content-Length', '4').end());
  app.get('/redirect/:status', (req, res) => res.redirect(status(req), '/x'));
  app.get(
    '/both',
    (_req, res) => void res.set({ 'Transfer-Encoding': 'chunked', 'Content-Length': '4' }).end('both'),
  );
  app.get('/too-long', (_req, res) => void res.set('Content-Length', '9').end('short'));
  app.get('/too-short', (_req, res) => void res.set('Content-Length', '2').end('longer'));
  app.get('/chunks', (_req, res) => {
    res.write('chunks');
    res.end();
  });
  app.get('/location', (_req, res) => res.redirect('/^|[]\\'));
}

function addRoutes(web: Web, app: Application): void {
  const answer = (_req: Request, res: Response): void => void res.send('answer');
  app.get('/routes/get', answer);
  app.get('/routes/both', answer);
  app.post('/routes/both', answer);
  app.post('/routes/post', answer);
  app.get('/routes/passed', (_req, _res, next) => next());
  app.post('/routes/passed', answer);
  const router = web.Router();
  router.get('/:id', answer);
  router.put('/:id', answer);
  app.use('/routes/inner', router);
  const inner = web();
  inner.get('/get', answer);
  app.use('/routes/app', inner);
}

/** The application on a framework. @param settings names of settings to enable */
export function application(web: Web, ...settings: string[]): http.Server {
  const app = web();
  app.set('env', 'test');
  for (const setting of settings) app.enable(setting);
  addRequestPaths(app);
  addAnswerPaths(app);
  addRoutes(web, app);
  app.use('/file', web.static(files));
  app.use((req, res, next) => {
    if (req.url.startsWith('/routes') || req.get('x-pass')) next();
    else echo(req, res);
  });
  return server(app);
}

/** Whether a case asks for what a handler on `node:http` decides alone: which methods a path has. */
export const needsRoutes = (bytes: string): boolean => /^\w+ \/routes/.test(bytes);

/** The content of the file, with validators, which this server never compares: it ignores conditions and ranges. */
const file = {
  content: fs.readFileSync(path.join(files, 'a.txt')),
  headers: { ETag: 'W/"5-0"', 'Last-Modified': 'Sat, 01 Jan 2022 00:00:00 GMT' },
};

/** The responses of the application that are written with the members of Node's own response, by the first segment of the path. */
const pages: Record<string, (req: http.IncomingMessage, res: http.ServerResponse, status: number) => void> = {
  host: ({ headers }, res) => void res.end(`host ${String(headers.host?.replace(/:\d*$/, '') || undefined)}`),
  field: ({ headers }, res) => void res.end(`field ${String(headers.x ?? '')}`),
  connection: (_req, res) => void res.end(),
  slow: (_req, res) => void setTimeout(() => res.end('slow'), 5),
  unread: (_req, res) => void res.end('unread'),
  file: (_req, res) => void res.writeHead(200, file.headers).end(file.content),
  status: (_req, res, status) =>
    void res.writeHead(status, status === 426 ? { Upgrade: 'cup' } : {}).end('content'),
  end: (_req, res, status) => void res.writeHead(status).end('content'),
  length: (_req, res, status) => void res.writeHead(status, { 'Content-Length': '4' }).end(),
  redirect: (_req, res, status) => void res.writeHead(status, { Location: '/x' }).end(),
  both: (_req, res) =>
    void res.writeHead(200, { 'Transfer-Encoding': 'chunked', 'Content-Length': '4' }).end('both'),
  'too-long': (_req, res) => void res.writeHead(200, { 'Content-Length': '9' }).end('short'),
  'too-short': (_req, res) => void res.writeHead(200, { 'Content-Length': '2' }).end('longer'),
  chunks(_req, res) {
    res.write('chunks');
    res.end();
  },
  location: (_req, res) => void res.writeHead(302, { Location: '/^|[]\\' }).end(),
};

/** The same paths as those of the application, except for routes, without a framework. */
export const bare = (): http.Server =>
  server((req, res) => {
    const [, name = '', status] = /^(?:http:\/\/[^/]*)?\/([\w-]+)(?:\/(\d+))?/.exec(req.url!) ?? [];
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
    if (page) page(req, res, Number(status));
    else echo(req, res);
  });

/** Creates a server that closes every connection after a while, so that each exchange ends. */
function server(handler: (req: http.IncomingMessage, res: http.ServerResponse) => void): http.Server {
  const options = {
    headersTimeout: 3000,
    requestTimeout: 3500,
    connectionsCheckingInterval: 50,
    keepAliveTimeout: 100,
    keepAliveTimeoutBuffer: 0,
  };
  return http.createServer(options, handler);
}

/** An application with `strict http`, `method not allowed` and the given handlers. */
export type App = ReturnType<typeof web>;

export const strict = (...handlers: RequestHandler[]): App => {
  const app = web().set('env', 'test').enable('strict http').enable('method not allowed');
  for (const handler of handlers) app.use(handler as never);
  return app;
};
