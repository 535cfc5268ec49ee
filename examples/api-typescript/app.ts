/** The application: middleware for every request, the routes, their OpenAPI document and its page. */
import web from 'ristretto';
import type { Application } from 'ristretto';
import { securitySchemes } from './auth.js';
import { pets } from './pets.js';
import { pictures } from './pictures.js';
import { notFound, sendProblem } from './problems.js';
import { Store } from './store.js';
import { users } from './users.js';

export function createApp(store = new Store()): Application {
  const app = web();
  app.disable('x-powered-by');
  app.use(web.requestId(), web.health());

  app.use('/users', users(store));
  app.use('/pets', pets(store), pictures(store));

  app.get(
    '/openapi.json',
    web.openApi(app, {
      info: { title: 'Pets', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: '.' }],
      tags: [
        { name: 'users', description: 'Who uses the API' },
        { name: 'pets', description: 'Who is loved' },
        { name: 'pictures', description: 'What they look like' },
      ],
      securitySchemes,
    }),
  );
  app.use('/docs', web.openApiPage('/openapi.json', { title: 'Pets' }));

  app.use(notFound, sendProblem);
  return app;
}
