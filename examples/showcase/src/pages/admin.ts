/** The administrator's area: a sub-application with its own settings and views. */
import { fileURLToPath } from 'node:url';
import web from 'ristretto';
import { notify } from '../notices.js';
import { traces } from '../operations.js';
import { Id, Listing } from '../schemas.js';
import type { Services } from '../services.js';
import { administrator } from '../session.js';
import { viewHelpers } from '../view-helpers.js';

export function admin({ users, posts, feed, fleet, metrics }: Services) {
  const app = web();
  app.set('views', fileURLToPath(new URL('../../views/admin', import.meta.url)));
  // Locals belong to one application, while settings are inherited.
  Object.assign(app.locals, viewHelpers, { hasFleet: fleet !== undefined });
  app.use(administrator);

  app.get('/', async (req, res) => {
    const { before } = Listing.parse(req.query);
    const [people, page] = await Promise.all([users.list(), posts.page({ before, limit: 50 })]);
    res.set('Cache-Control', 'no-store').render('overview', { people, ...page });
  });

  app.get('/operations', async (_req, res) => {
    const routes = routesOf(await metrics.text());
    res.set('Cache-Control', 'no-store').render('operations', { traces, routes, pid: process.pid });
  });

  app.get('/metrics', metrics);

  app.post('/:kind(users|posts)/:id/delete', async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const table = req.params.kind === 'users' ? users : posts;
    if (!success || !(await table.remove(data.id))) return next();
    feed.wake();
    notify(res, 'deleted').redirect(303, '/admin');
  });

  return app;
}

/** Returns the number of requests and their mean duration for each route, the most frequent first. */
function routesOf(text: string) {
  const routes = new Map<string, { count: number; seconds: number }>();
  const line =
    /^http_server_request_duration_seconds_(count|sum)\{.*?http_request_method="([^"]*)".*?http_route="([^"]*)".*?\} (\S+)/gm;
  for (const [, what, method, route, value] of text.matchAll(line)) {
    const name = `${method} ${route || '(none)'}`;
    const known = routes.get(name) ?? { count: 0, seconds: 0 };
    known[what === 'sum' ? 'seconds' : 'count'] += Number(value);
    routes.set(name, known);
  }
  return [...routes]
    .map(([route, { count, seconds }]) => ({ route, count, mean: (1000 * seconds) / count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, 30);
}
