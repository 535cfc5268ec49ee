import web from 'ristretto';
import { createTasks } from './tasks.ts';

export function createApp(): web.Application {
  const app = web();
  app.disable('x-powered-by');
  // Longer than load balancers keep idle connections, so that none sends a request on a connection that is being closed.
  app.set('keep-alive timeout', '75s');
  // Errors and 404s are problem details: https://www.rfc-editor.org/rfc/rfc9457
  app.set('error format', 'problem');
  // For load balancers: GET /livez and GET /readyz.
  app.use(web.health());
  app.use(web.json());

  app.use('/tasks', createTasks());

  app.get('/openapi.json', web.openApi(app, { info: { title: 'Tasks', version: '0.1.0' } }));
  app.use('/docs', web.openApiPage('/openapi.json'));
  return app;
}
