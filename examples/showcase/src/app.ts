/** Assembles the application. The order matters: each line handles what the lines above pass on. */
import { fileURLToPath } from 'node:url';
import compression from 'compression';
import web from 'ristretto';
import { api } from './api.js';
import type { Config } from './config.js';
import { errorPage, notFound } from './errors.js';
import { log } from './log.js';
import { notices } from './notices.js';
import { account } from './pages/account.js';
import { admin } from './pages/admin.js';
import { board, live } from './pages/board.js';
import { livePanel } from './pages/live.js';
import { pictures } from './pictures.js';
import { makeLimits, sameOrigin, securityHeaders } from './security.js';
import type { Services } from './services.js';
import { sessions } from './session.js';
import { sourcePages } from './source.js';
import { viewHelpers } from './view-helpers.js';

/** Returns the path of a folder next to the one of this file. */
const folder = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

export function makeApp(
  services: Services,
  { proxies, overloadDelay, compresses, logsRequests }: Pick<Config, 'proxies'> & Partial<Config>,
) {
  const { db, redis, feed, fleet } = services;
  const limits = makeLimits(redis);

  const app = web();
  app.set('view engine', 'ejs');
  app.set('views', folder('views'));
  app.enable('view cache');
  app.set('trust proxy', proxies);
  app.set('error logger', log);
  app.disable('x-powered-by');
  Object.assign(app.locals, viewHelpers, { hasFleet: fleet !== undefined });

  // A live update renders the same partial that the whole page uses.
  feed.describe = async ({ kind, post: id }, post) => {
    if (!post) return { event: kind, data: { id } };
    const html = await new Promise<string>((resolve, reject) =>
      app.render('partials/post', { post, user: undefined }, (error, text) =>
        error ? reject(error) : resolve(text),
      ),
    );
    return { event: kind, data: { id, parent: post.parent, html } };
  };

  app.use(web.requestId());
  // Off by default: other programs on a busy machine delay this process, too.
  if (overloadDelay) app.use(web.overload({ maxDelay: overloadDelay }));
  // All processes share the stores. If /readyz depended on them, a load balancer would have no process left, and its own
  // error in place of ours. Monitoring asks /dependencies.
  app.use(
    web.health(),
    web.health({
      live: false,
      ready: '/dependencies',
      checks: { database: () => db.query('select 1', []), ...(redis && { redis: () => redis.ping() }) },
    }),
  );
  if (logsRequests) app.use(logged);
  app.use(timed, securityHeaders);
  if (compresses) app.use(compression({ filter: isCompressed }));
  // Mounted under a separate path: otherwise each page would first look for a file, and wait for a thread to do so.
  app.use('/assets', web.static(folder('public'), { maxAge: '1h' }));
  app.use(live(services));

  app.use(deadline);
  app.use('/pictures', pictures(services));
  app.use(sameOrigin, sessions(services));
  app.use('/api', api(services, limits));
  app.use(theme, notices, web.urlencoded({ extended: false, limit: '16kb' }));
  app.use('/source', sourcePages());
  if (fleet) app.use('/live', livePanel(fleet));
  app.use('/admin', admin(services));
  app.use(account(services, limits), board(services, limits));

  app.use(notFound, errorPage);
  return app;
}

/** The time limit includes everything that follows, sessions too. Pictures may arrive over a slow connection. */
const [usual, forUploads] = [web.deadline('15s'), web.deadline('2m')];
const deadline: web.RequestHandler = (req, res, next) =>
  (req.method === 'POST' && req.path === '/posts' ? forUploads : usual)(req, res, next);

/** Events are sent one by one, so there is nothing to compress together. */
const isCompressed: typeof compression.filter = (req, res) =>
  !String(res.getHeader('Content-Type')).startsWith('text/event-stream') && compression.filter(req, res);

/** Logs each request, with the fields of deploy/nginx/board.conf. */
const logged: web.RequestHandler = (req, res, next) => {
  const start = performance.now();
  const { method, originalUrl: uri, ip: client } = req;
  res.once('close', () => {
    const seconds = Number(((performance.now() - start) / 1000).toFixed(3));
    const aborted = res.writableFinished ? undefined : true;
    log.info(
      { id: res.get('X-Request-Id'), client, method, uri, status: res.statusCode, seconds, aborted },
      'request',
    );
  });
  next();
};

/** Reports how long the server took: in a header that developer tools display, and on the page itself. */
const timed: web.RequestHandler = (_req, res, next) => {
  const start = performance.now();
  const elapsed = () => (performance.now() - start).toFixed(1);
  res.locals.elapsed = elapsed;
  res.onSend(() => {
    res.append('Server-Timing', `app;dur=${elapsed()}`);
  });
  next();
};

/** Light or dark, as chosen by the user; otherwise the style sheet follows the system. Previews need whole addresses. */
const theme: web.RequestHandler = (req, res, next) => {
  res.locals.origin = `${req.protocol}://${req.get('Host') ?? ''}`;
  res.locals.theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(req.get('Cookie') ?? '')?.[1];
  next();
};
