import web from 'ristretto';
import { createTasks } from './tasks.js';

export function createApp() {
  const app = web();
  app.disable('x-powered-by');
  // For load balancers: GET /livez and GET /readyz.
  app.use(web.health());
  app.use(web.json());

  app.use('/tasks', createTasks());

  app.use((req, res) => {
    res.status(404).json({ error: `Cannot ${req.method} ${req.path}` });
  });
  app.use(handleError);
  return app;
}

/** Sends errors as JSON: what handlers throw or reject with, and those of the body parser, which have a status. */
const handleError = (error, req, res, next) => {
  if (res.headersSent) {
    next(error);
    return;
  }
  const status = error.status ?? 500;
  if (status >= 500) console.error(error);
  res.status(status).json({ error: status < 500 ? error.message : 'Internal Server Error' });
};
