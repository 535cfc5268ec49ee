/** Users register, and get the token that authenticates their later requests. */
import web from 'ristretto';
import type { Router } from 'ristretto';
import { accountOf, authenticated } from './auth.js';
import { json } from './json.js';
import { fails, problem } from './problems.js';
import { NewUser, Registration, User } from './schemas.js';
import type { Store } from './store.js';

export function users(store: Store): Router {
  const router = web.Router();
  router.use(web.describe({ tags: ['users'], security: [] }));

  router.post(
    '/',
    json,
    fails(409),
    web.describe({ summary: 'Registers a user' }),
    web.validate({
      body: NewUser,
      response: { 201: Registration },
    }),
    (req, res) => {
      const added = store.addUser(req.body);
      if (!added) throw problem(409, 'this email address is taken');
      res.status(201).json(added);
    },
  );

  router.get(
    '/me',
    authenticated(store),
    web.describe({ summary: 'Shows who the token is for' }),
    web.validate({ response: { 200: User } }),
    (req, res) => res.json(accountOf(req)),
  );

  return router;
}
