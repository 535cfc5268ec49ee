import path from 'node:path';
import sameOrigin from '@ristretto/same-origin';
import helmet from 'helmet';
import web from 'ristretto';
import type { ErrorRequestHandler } from 'ristretto';

const home = path.join(import.meta.dirname, '..');

export function createApp(): web.Application {
  const app = web();
  app.disable('x-powered-by');
  // Longer than load balancers keep idle connections, so that none sends a request on a connection that is being closed.
  app.set('keep-alive timeout', '75s');
  app.set('views', path.join(home, 'views'));
  app.set('view engine', 'ejs');

  // A page without HTTPS, as on another device in your network, has to get its style sheet without HTTPS too.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  // Rejects forms that other sites send with the cookies of your users.
  app.use(sameOrigin());
  app.use(web.static(path.join(home, 'public'), { maxAge: '1 hour' }));
  app.use(web.urlencoded({ extended: false }));

  // Kept in memory, where your database would be.
  const messages: string[] = [];

  app.get('/', (req, res) => {
    res.render('home', { title: 'Messages', messages });
  });

  app.post('/messages', (req, res) => {
    const { text } = req.body as { text?: unknown };
    if (typeof text !== 'string' || text.trim() === '') {
      res.status(400).render('error', { title: 'Say something', message: 'A message needs a text.' });
      return;
    }
    messages.unshift(text);
    res.redirect(303, '/');
  });

  app.use((req, res) => {
    res.status(404).render('error', { title: 'Not found', message: `There is no page ${req.path}.` });
  });
  app.use(handleError);
  return app;
}

/** The page for errors: what handlers throw or reject with, and those of the body parser, which have a status. */
const handleError: ErrorRequestHandler = (error: { status?: number; message?: string }, req, res, next) => {
  const status = error.status ?? 500;
  // In development, the framework's page shows a mistake with its code and hints.
  if (res.headersSent || (status >= 500 && req.app.get('env') === 'development')) {
    next(error);
    return;
  }
  if (status >= 500) console.error(error);
  const message = status < 500 ? error.message : 'Something went wrong on our side.';
  res.status(status).render('error', { title: 'Error', message });
};
