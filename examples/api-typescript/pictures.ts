/** Pictures of pets: stored and sent unchanged, within a size limit; their type is detected from their first bytes. */
import web from 'ristretto';
import type { Router } from 'ristretto';
import { accountOf, authenticated } from './auth.js';
import { findOwnPet, findPet } from './pets.js';
import { fails, problem } from './problems.js';
import { PetId } from './schemas.js';
import type { Store } from './store.js';

const SIGNATURES = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
};
const TYPES = Object.keys(SIGNATURES);

/** Returns the media type of a picture, or undefined for anything else. */
function sniff(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 16);
  return Object.entries(SIGNATURES).find(([, signature]) => signature.test(start))?.[0];
}

export function pictures(store: Store): Router {
  const router = web.Router();
  router.use(fails(400), web.describe({ tags: ['pictures'], security: [] }));

  router.put(
    '/:id/picture',
    authenticated(store),
    fails(403, 404, 413, 415),
    web.describe({
      summary: 'Uploads the picture of a pet',
      body: { required: true, contentTypes: TYPES, description: 'At most 100 KiB' },
      responses: { 204: {} },
    }),
    web.validate({
      params: PetId,
    }),
    web.raw({ type: () => true, limit: '100kb' }),
    (req, res) => {
      const pet = findOwnPet(store, req.params.id, accountOf(req));
      // Without a body, `web.raw` leaves `req.body` as an object.
      const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
      const type = sniff(bytes);
      if (!type) throw problem(415, `a picture has to be ${TYPES.join(' or ')}`);
      store.pictures.set(pet.id, { type, bytes });
      res.status(204).end();
    },
  );

  router.get(
    '/:id/picture',
    fails(404),
    web.describe({ summary: 'Shows the picture of a pet', responses: { 200: { contentTypes: TYPES } } }),
    web.validate({
      params: PetId,
    }),
    (req, res) => {
      const picture = store.pictures.get(findPet(store, req.params.id).id);
      if (!picture) throw problem(404, `pet ${req.params.id} has no picture`);
      res.type(picture.type).set('X-Content-Type-Options', 'nosniff').send(picture.bytes);
    },
  );

  return router;
}
