/** A program as written for multer and @types/multer. */
import express, { Request, RequestHandler, Response, NextFunction } from 'express';
import multer, { diskStorage, FileFilterCallback, Multer, MulterError, Options, StorageEngine } from 'multer';
import { createWriteStream } from 'fs';

const app = express();
const plain = multer();
const upload: Multer = multer({
  dest: 'uploads/',
  limits: {
    fileSize: 1,
    files: 2,
    fields: 3,
    fieldSize: 4,
    fieldNameSize: 5,
    parts: 6,
    headerPairs: 7,
    fieldNestingDepth: 8,
  },
  preservePath: true,
  defParamCharset: 'utf8',
  fileFilter(req: Request, file: Express.Multer.File, cb: FileFilterCallback) {
    if (file.mimetype === 'image/png') cb(null, true);
    else cb(new Error(file.originalname + req.path));
  },
});
const inferred = multer({ fileFilter: (req, file, cb) => cb(null, req.headers.host === file.encoding) });

const handlers: RequestHandler[] = [
  upload.single('a'),
  upload.array('b', 3),
  upload.any(),
  upload.none(),
  plain.any(),
];
app.post('/a', ...handlers, inferred.fields([{ name: 'a', maxCount: 1 }, { name: 'b' }]), (req, res) => {
  const file: Express.Multer.File | undefined = req.file;
  const size: number = req.file!.size;
  const list = req.files as Express.Multer.File[];
  const byName = req.files as { [fieldname: string]: Express.Multer.File[] };
  res.json([file?.path, size, list.map(each => each.buffer), byName['a']![0]!.destination]);
});

const storage: StorageEngine = multer.diskStorage({
  destination: (req, file, cb) => cb(null, req.path + file.fieldname),
  filename(req, file, cb) {
    cb(null, `${Date.now()}-${file.originalname}${req.method}`);
  },
});
const directory: multer.StorageEngine = diskStorage({ destination: '/tmp' });
const options: Options = { storage: multer.memoryStorage() };
multer(options);
multer({ storage, limits: undefined });
multer({ storage: directory });

class Custom implements multer.StorageEngine {
  _handleFile(
    _req: Request,
    file: Express.Multer.File,
    callback: (error?: any, info?: Partial<Express.Multer.File>) => void,
  ): void {
    file.stream.pipe(createWriteStream('x')).on('finish', () => callback(null, { size: 5, path: 'x' }));
  }
  _removeFile(_req: Request, file: Express.Multer.File, callback: (error: Error | null) => void): void {
    callback(file.path ? null : new Error());
  }
}
app.post('/b', (req, res, next) => {
  multer({ storage: new Custom() }).single('x')(req, res, next);
});

app.use((err: unknown, _req: Request, res: Response, next: NextFunction) => {
  if (err instanceof multer.MulterError)
    res.status(err.code === 'LIMIT_FILE_SIZE' ? 413 : 400).send(err.field);
  else if (err instanceof MulterError) next(err.message);
});
const code: multer.ErrorCode = 'LIMIT_PART_COUNT';
throw new multer.MulterError(code, 'field');

// @ts-expect-error -- a destination that is a number
multer({ dest: 5 });
// @ts-expect-error -- a field without a name
upload.fields([{ maxCount: 1 }]);
// @ts-expect-error -- no field name
upload.single();
// @ts-expect-error -- an unknown code
new multer.MulterError('OTHER');
