import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import web, { Router } from 'ristretto';
import { TaskId } from './schemas.js';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** The routes below /tasks/:id/picture. `exists` says whether there is such a task. */
export function createPictures(folder: string, exists: (id: number) => boolean) {
  const router = Router();
  const fileOf = (id: number) => path.resolve(folder, `${id}.png`);

  router.put(
    '/:id/picture',
    web.raw({ type: 'image/png', limit: '2mb' }),
    web.describe({ body: { contentTypes: ['image/png'], required: true } }),
    web.validate({ params: TaskId }),
    async (req, res, next) => {
      const body: unknown = req.body;
      if (!exists(req.params.id)) {
        next();
        return;
      }
      if (!Buffer.isBuffer(body) || !body.subarray(0, PNG.length).equals(PNG)) {
        res.status(415).json({ error: 'send a PNG' });
        return;
      }
      await mkdir(folder, { recursive: true });
      // Renamed when it is complete, so that nobody gets half of it.
      const file = fileOf(req.params.id);
      await writeFile(`${file}.part`, body);
      await rename(`${file}.part`, file);
      res.sendStatus(204);
    },
  );

  router.get('/:id/picture', web.validate({ params: TaskId }), (req, res, next) => {
    res.set('X-Content-Type-Options', 'nosniff');
    res.sendFile(fileOf(req.params.id), error => {
      // A missing file gets our own 404, because the error's message would name the folder.
      if (error) next(res.headersSent ? error : undefined);
    });
  });
  return router;
}
