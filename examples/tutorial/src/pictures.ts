import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import web from 'express';
import { z } from 'zod';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const Id = z.object({ id: z.coerce.number().int() });

/** The routes below /tasks/:id/picture. `find` throws an error if there is no such task. */
export function createPictures(folder: string, find: (id: number) => unknown): web.Router {
  const router = web.Router();
  const fileOf = (id: number) => path.resolve(folder, `${id}.png`);

  router.put(
    '/:id/picture',
    web.raw({ type: 'image/png', limit: '2mb' }),
    web.describe({
      body: { contentTypes: ['image/png'], required: true },
      errors: [404, 413, 415],
      responses: { 204: {} },
    }),
    web.validate({ params: Id }),
    async (req, res) => {
      const body: unknown = req.body;
      find(req.params.id);
      if (!Buffer.isBuffer(body) || !body.subarray(0, PNG.length).equals(PNG))
        throw new web.HttpError(415, 'Send a PNG');
      await mkdir(folder, { recursive: true });
      // Renamed when it is complete, so that nobody gets half of it.
      const file = fileOf(req.params.id);
      await writeFile(`${file}.part`, body);
      await rename(`${file}.part`, file);
      res.sendStatus(204);
    },
  );

  router.get(
    '/:id/picture',
    web.describe({ errors: [404], responses: { 200: { contentTypes: ['image/png'] } } }),
    web.validate({ params: Id }),
    (req, res, next) => {
      res.set('X-Content-Type-Options', 'nosniff');
      res.sendFile(fileOf(req.params.id), error => {
        // A missing file gets our own 404, because the error's message would name the folder.
        if (error) next(res.headersSent ? error : new web.HttpError(404, 'There is no picture'));
      });
    },
  );
  return router;
}
