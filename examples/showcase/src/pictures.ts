/**
 * Pictures: uploads are decoded, one after the other, and re-encoded in two sizes. The original file is never stored, so the
 * result contains no script, no appended second file and no location where the photo was taken.
 */
import type { Readable } from 'node:stream';
import multer from 'multer';
import web from 'ristretto';
import type { default as Sharp } from 'sharp';
import type { Picture } from './data/posts.js';
import { problem } from './errors.js';
import { makeQueue } from './queue.js';
import type { Services } from './services.js';

declare global {
  namespace Express {
    namespace Multer {
      interface File {
        picture?: Picture;
      }
    }
  }
}

/** An optional dependency, because it is native code: where it cannot run, posts have no pictures. */
const sharp = await import('sharp').then(
  module => module.default,
  () => undefined,
);
export const hasPictures = sharp !== undefined;

// Allows only web formats, of the many that the library can read.
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].flatMap(name => [
  `VipsForeignLoad${name}Buffer`,
  `VipsForeignLoad${name}Source`,
]);
// One thread decodes one picture at a time: two uploads of one second each would otherwise take both cores of a small
// machine from everybody else.
sharp?.concurrency(1);
const inTurn = makeQueue(1, 2);
/**
 * The size of pictures from cameras and phones. A PNG of a single color can have that many pixels in 100 KB, and
 * takes a second to decode.
 */
const MOST_PIXELS = 25_000_000;

sharp?.block({ operation: ['VipsForeignLoad'] });
sharp?.unblock({ operation: LOADERS });

const SIGNATURES = [/^\xff\xd8\xff/, /^\x89PNG\r\n\x1a\n/, /^GIF8[79]a/, /^RIFF[^]{4}WEBP/];

/** Passes a stream on if its first bytes are a picture's, regardless of its name and type. */
async function* sniffed(stream: Readable): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  // The rest of a rejected file is left for multer to skip.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (head) {
      head = Buffer.concat([head, chunk]);
      if (head.length < 12) continue;
      if (!isPicture(head)) break;
      yield head;
      head = undefined;
    } else yield chunk;
  }
  if (head) throw problem(415, 'Only JPEG, PNG, GIF and WebP pictures can be shown.');
}

const isPicture = (head: Buffer) =>
  SIGNATURES.some(signature => signature.test(head.toString('latin1', 0, 12)));

/** Reads a stream to its end. Nothing is decoded before, so a slow upload keeps nobody waiting. */
async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of sniffed(stream)) chunks.push(chunk);
  // This file was already rejected for its size, and cut off there.
  if ((stream as Readable & { truncated?: boolean }).truncated)
    throw problem(413, 'Pictures may have up to 8 MB.');
  return Buffer.concat(chunks);
}

async function shrink(engine: typeof Sharp, original: Buffer): Promise<Picture> {
  const size = (picture: Buffer, pixels: number) =>
    engine(picture, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize({ width: pixels, height: pixels, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer({ resolveWithObject: true })
      .catch(() => {
        throw problem(422, 'This picture is damaged, or has more than 25 million pixels.');
      });
  const large = await size(original, 1600);
  // Resizes the large version: decoding the original again would take as long as the first time.
  const small = await size(large.data, 640);
  return { width: large.info.width, height: large.info.height, large: large.data, small: small.data };
}

const limits = {
  fileSize: 8 * 1024 * 1024,
  files: 1,
  fields: 4,
  parts: 5,
  fieldSize: 4096,
  fieldNameSize: 40,
};
const form = multer({
  limits,
  storage: {
    _handleFile(_req, file, done) {
      if (!sharp) return done(problem(501, 'This server does not accept pictures.'));
      bytesOf(file.stream)
        .then(original => inTurn(() => shrink(sharp, original)))
        .then(picture => done(null, { picture }), done);
    },
    _removeFile: (_req, _file, done) => done(null),
  },
}).single('picture');
const fieldsOnly = multer({ limits, fileFilter: (_req, _file, accept) => accept(null, false) }).single(
  'picture',
);

/** Reads the fields of a form whose picture is of no use, because the post is refused anyway. */
export const readFields = (req: web.Request, res: web.Response) =>
  new Promise<void>(resolve => fieldsOnly(req, res, () => resolve()));

/**
 * Reads a form with a picture into `req.file.picture`. A form that cannot be parsed is a client error. Without a login,
 * only the fields are read.
 */
export const upload: web.RequestHandler = (req, res, next) => {
  (req.member ? form : fieldsOnly)(req, res, (reason?: unknown) => {
    const error = reason as (Error & { status?: number; code?: string }) | undefined;
    if (!error || error.status) next(error);
    else if (error.code === 'LIMIT_FILE_SIZE') next(problem(413, 'Pictures may have up to 8 MB.'));
    else next(problem(400, 'The form could not be read.'));
  });
};

/** Serves stored pictures under URLs that never refer to anything else. */
export function pictures({ posts }: Services) {
  const router = web.Router();
  router.get('/:id([0-9a-f-]{36}).:size(large|small).webp', async (req, res, next) => {
    const { id, size } = req.params;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return next();
    const bytes = await posts.picture(id, size === 'small' ? 'small' : 'large');
    if (!bytes) return next();
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Content-Type': 'image/webp',
    });
    res.send(Buffer.from(bytes));
  });
  return router;
}
