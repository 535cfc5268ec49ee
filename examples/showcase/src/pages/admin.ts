/** The administrator's area: a sub-application with its own settings and views. */
import { fileURLToPath } from 'node:url';
import web from 'ristretto';
import { Id, Listing } from '../schemas.js';
import type { Services } from '../services.js';
import { administrator } from '../session.js';
import { viewHelpers } from '../view-helpers.js';

export function admin({ users, posts, feed }: Services) {
  const app = web();
  app.set('views', fileURLToPath(new URL('../../views/admin', import.meta.url)));
  // Locals belong to one application, while settings are inherited.
  Object.assign(app.locals, viewHelpers);
  app.use(administrator);

  app.get('/', async (req, res) => {
    const { before } = Listing.parse(req.query);
    const [people, page] = await Promise.all([users.list(), posts.page({ before, limit: 50 })]);
    res.set('Cache-Control', 'no-store').render('overview', { people, ...page });
  });

  app.post('/:kind(users|posts)/:id/delete', async (req, res, next) => {
    const { success, data } = Id.safeParse(req.params);
    const table = req.params.kind === 'users' ? users : posts;
    if (!success || !(await table.remove(data.id))) return next();
    feed.wake();
    res.redirect(303, '/admin');
  });

  return app;
}
