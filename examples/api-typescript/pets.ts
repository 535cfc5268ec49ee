/** Pets: everyone can read them, only owners can change them. */
import web from 'ristretto';
import type { Router } from 'ristretto';
import { accountOf, authenticated } from './auth.js';
import { json } from './json.js';
import { fails, problem } from './problems.js';
import { cursorOf, NewPet, Pet, PetChange, PetId, PetPage, PetQuery } from './schemas.js';
import type { User } from './schemas.js';
import type { Store } from './store.js';

export function findPet(store: Store, id: number): Pet {
  const pet = store.pets.get(id);
  if (!pet) throw problem(404, `there is no pet ${id}`);
  return pet;
}

export function findOwnPet(store: Store, id: number, user: User): Pet {
  const pet = findPet(store, id);
  if (pet.owner !== user.id) throw problem(403, `pet ${id} is not yours`);
  return pet;
}

export function pets(store: Store): Router {
  const router = web.Router();
  router.use(fails(400), web.describe({ tags: ['pets'], security: [] }));

  router.get(
    '/',
    web.describe({ summary: 'Lists pets, page by page' }),
    web.validate({
      query: PetQuery,
      response: { 200: PetPage },
    }),
    (req, res) => {
      const { limit, cursor = 0, kind } = req.query;
      const found = store.petsAfter(cursor, kind);
      const items = found.slice(0, limit);
      const last = items.at(-1);
      res.json({ items, next: last && found.length > limit ? cursorOf(last) : undefined });
    },
  );

  router.post(
    '/',
    authenticated(store),
    json,
    web.describe({ summary: 'Adds a pet' }),
    web.validate({ body: NewPet, response: { 201: Pet } }),
    (req, res) => {
      const pet = { ...req.body, id: store.nextId(), owner: accountOf(req).id };
      store.pets.set(pet.id, pet);
      res.status(201).location(`${req.baseUrl}/${pet.id}`).json(pet);
    },
  );

  router.get(
    '/:id',
    fails(404),
    web.describe({ summary: 'Shows a pet' }),
    web.validate({ params: PetId, response: { 200: Pet } }),
    (req, res) => res.json(findPet(store, req.params.id)),
  );

  router.patch(
    '/:id',
    authenticated(store),
    json,
    fails(403, 404),
    web.validate({ params: PetId, body: PetChange, response: { 200: Pet } }),
    web.describe({ summary: 'Changes a pet' }),
    (req, res) => {
      const pet = { ...findOwnPet(store, req.params.id, accountOf(req)), ...req.body };
      store.pets.set(pet.id, pet);
      res.json(pet);
    },
  );

  router.delete(
    '/:id',
    authenticated(store),
    fails(403, 404),
    web.describe({ summary: 'Removes a pet', responses: { 204: {} } }),
    web.validate({ params: PetId }),
    (req, res) => {
      const { id } = findOwnPet(store, req.params.id, accountOf(req));
      store.pets.delete(id);
      store.pictures.delete(id);
      res.status(204).end();
    },
  );

  return router;
}
