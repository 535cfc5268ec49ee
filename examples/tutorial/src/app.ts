import web from 'express';
import { readConfig, type Config } from './config.ts';
import { createSessions, membersChange } from './sessions.ts';
import { createTasks } from './tasks.ts';

export function createApp(config: Config = readConfig()): web.Application {
  const app = web();
  app.disable('x-powered-by');
  if (config.isProduction) app.set('trust proxy', 1); // the number of proxies
  // Errors and 404s are problem details: https://www.rfc-editor.org/rfc/rfc9457
  app.set('errors', 'problem');
  // For load balancers: GET /livez and GET /readyz.
  app.use(web.health());
  app.use(web.json());
  app.use(web.static('public'));

  app.use(createSessions(config));
  app.use('/tasks', membersChange, createTasks(config.uploads));

  app.get('/openapi.json', web.openapi(app, { info: { title: 'Tasks', version: '0.1.0' } }));
  app.use('/docs', web.openapiPage('/openapi.json'));
  return app;
}
