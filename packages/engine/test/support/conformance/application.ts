/** The application that receives the cases: built the same way on both frameworks, and as a bare `node:http` server. */
import http from 'node:http';
import path from 'node:path';
import type { Request, Response } from 'express';
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

/** Whether a case asks for something that only an application has: these paths, or the 404 after the last handler. */
export const needsApplication = (bytes: string): boolean =>
  /^\w+ (?:http:\/\/[^/ ]*)?\/(?:both|chunks|connection|end|field|file|host|length|location|redirect|routes|slow|status|too-|unread)|^x-pass/im.test(
    bytes,
  );

/** Node's own behavior, without a framework. */
export const bare = (): http.Server => server(echo);

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
