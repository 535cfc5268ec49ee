/** Receives forms with files: a replacement for multer. */
import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { inspect } from 'node:util';
import { typeIs, hasBody } from '@ristretto/private-engine/lib/protocol';
import { decoderOf } from './charset';
import { DiskStorage } from './disk-storage';
import { FileList } from './file-list';
import type { FileStrategy } from './file-list';
import { readLimits } from './limits';
import { MemoryStorage } from './memory-storage';
import { MulterError } from './multer-error';
import type * as errors from './multer-error';
import type * as types from './types';
import { Upload } from './upload';
import type { Decide, Settings } from './upload';

type Filter = NonNullable<types.Options['fileFilter']>;
type Callback = (error: unknown, isAccepted?: boolean) => void;

const DEFAULT_NAME_CHARSET = 'latin1';

class Multer implements types.Multer {
  storage: types.StorageEngine;
  limits: types.Options['limits'];
  preservePath: boolean | undefined;
  defParamCharset: string;
  defCharset: string | undefined;
  highWaterMark: number | undefined;
  fileHwm: number | undefined;
  fileFilter: Filter;
  streamHandler: types.Options['streamHandler'];

  constructor(options: types.Options) {
    if (options.storage) this.storage = options.storage;
    else if (options.dest) this.storage = new DiskStorage({ destination: options.dest });
    else this.storage = new MemoryStorage();
    if (typeof options.limits !== 'function') readLimits(options.limits);
    const { streamHandler } = options;
    if (streamHandler !== undefined && typeof streamHandler !== 'function') {
      throw new TypeError('Expected streamHandler to be a function');
    }
    const { fileFilter } = options;
    if (fileFilter && typeof fileFilter !== 'function') {
      throw new TypeError(`Expected fileFilter to be a function, got ${inspect(fileFilter)}`);
    }
    if (typeof (this.storage as Partial<types.StorageEngine>)._handleFile !== 'function') {
      throw new TypeError(`Expected storage to have a method _handleFile, got ${inspect(this.storage)}`);
    }
    this.limits = options.limits;
    this.preservePath = options.preservePath;
    this.defParamCharset = options.defParamCharset || DEFAULT_NAME_CHARSET;
    this.defCharset = options.defCharset;
    this.highWaterMark = options.highWaterMark;
    this.fileHwm = options.fileHwm;
    this.fileFilter = fileFilter || allowAll;
    this.streamHandler = streamHandler;
    // Reports nonexistent charsets.
    this.settings();
  }

  single(fieldName: string): types.RequestHandler {
    return this.accept([{ name: fieldName, maxCount: 1 }], 'VALUE');
  }

  array(fieldName: string, maxCount?: number): types.RequestHandler {
    return this.accept([{ name: fieldName, maxCount }], 'ARRAY');
  }

  fields(fields: readonly types.Field[]): types.RequestHandler {
    if (!Array.isArray(fields) || !fields.every(isField)) {
      throw new TypeError(
        `Expected a list of fields such as [{ name: 'avatar', maxCount: 1 }], got ${inspect(fields)}`,
      );
    }
    return this.accept(fields, 'OBJECT');
  }

  any(): types.RequestHandler {
    return this.middleware(undefined, 'ARRAY');
  }

  none(): types.RequestHandler {
    return this.accept([], 'NONE');
  }

  private accept(fields: readonly types.Field[], strategy: FileStrategy): types.RequestHandler {
    const counts = new Map<string, number>();
    for (const { name, maxCount } of fields) {
      counts.set(name, typeof maxCount === 'number' ? maxCount : Infinity);
    }
    // For the OpenAPI document of an application of Ristretto
    const files = fields.map(({ name, maxCount }) => ({
      name,
      isList: strategy !== 'VALUE' && maxCount !== 1,
    }));
    return Object.defineProperty(this.middleware(counts, strategy), '~files', { value: files });
  }

  /** @param counts the maximum number of files of each field; undefined to accept all */
  private middleware(
    counts: ReadonlyMap<string, number> | undefined,
    strategy: FileStrategy,
  ): types.RequestHandler {
    const multerMiddleware = (
      req: types.Request,
      res: ServerResponse,
      next: (error?: unknown) => void,
    ): void => {
      const type = req.headers['content-type'];
      if (type === undefined || !receivesBody(req) || typeIs(type, ['multipart']) === false) {
        next();
        return;
      }
      let upload: Upload;
      try {
        const { limits } = this;
        const used = readLimits(typeof limits === 'function' ? limits(req) : limits);
        req.body = Object.create(null) as Record<string, unknown>;
        const files = new FileList(req, strategy);
        upload = new Upload(req, this.settings(), used, files, this.decider(req, counts), next);
      } catch (error) {
        next(error);
        return;
      }
      // Mock responses may lack `once`
      (res as Partial<ServerResponse>).once?.('close', () => upload.onResponseClosed());
      upload.start();
    };
    return Object.defineProperty(multerMiddleware, '~parser', { value: { kind: 'multipart' } });
  }

  private decider(req: types.Request, counts: ReadonlyMap<string, number> | undefined): Decide {
    const { fileFilter } = this;
    const decide = fileFilter as (req: types.Request, file: types.UploadFile, decided: Callback) => unknown;
    if (counts === undefined) return (file, decided) => decide(req, file, decided);
    const left = new Map(counts);
    return (file, decided) => {
      const { fieldname, originalname } = file;
      const places = left.get(fieldname) ?? 0;
      if (!(places > 0)) {
        decided(new MulterError('LIMIT_UNEXPECTED_FILE', fieldname, originalname));
        return undefined;
      }
      // Counted before the filter decides, because the next file may arrive before it does.
      left.set(fieldname, places - 1);
      let isDecided = false;
      return decide(req, file, (error, isAccepted) => {
        if (isDecided) return;
        isDecided = true;
        if (!isAccepted) left.set(fieldname, left.get(fieldname)! + 1);
        decided(error, isAccepted);
      });
    };
  }

  private settings(): Settings {
    const { storage, defParamCharset, defCharset, preservePath, highWaterMark, fileHwm, streamHandler } =
      this;
    const decodeName = decoder(defParamCharset, 'defParamCharset');
    const isLatin1 = decodeName === decoderOf(DEFAULT_NAME_CHARSET);
    return {
      storage,
      decodeName: isLatin1 ? undefined : text => decodeName(Buffer.from(text, 'latin1'), 0, text.length),
      decodeValue: decoder(defCharset || 'utf8', 'defCharset'),
      preservePath: Boolean(preservePath),
      highWaterMark,
      fileHwm,
      streamHandler,
    };
  }
}

function decoder(charset: string, option: string): ReturnType<typeof decoderOf> & {} {
  const decode = typeof charset === 'string' ? decoderOf(charset) : undefined;
  if (decode !== undefined) return decode;
  throw new TypeError(
    `Expected ${option} to be a charset such as 'utf8' or 'latin1', got ${inspect(charset)}`,
  );
}

function allowAll(_req: types.Request, _file: types.UploadFile, callback: types.FileFilterCallback): void {
  callback(null, true);
}

/** HTTP/2 needs neither of the headers that frame a body. */
function receivesBody(req: types.Request): boolean {
  const { stream } = req as { stream?: Partial<ServerHttp2Stream> };
  return hasBody(req.headers) || stream?.endAfterHeaders === false;
}

function isField(field: unknown): boolean {
  return typeof (field as Partial<types.Field> | null | undefined)?.name === 'string';
}

/**
 * Create middleware that receives forms with files (`multipart/form-data`).
 * @param options where files are stored (`storage`, `dest`), `limits`, `fileFilter`, `preservePath`, charsets
 * @throws TypeError for options that could never work
 * @example
 * const upload = multer({ dest: 'uploads/', limits: { fileSize: 5_000_000, files: 1 } });
 * app.post('/photo', upload.single('photo'), (req, res) => res.send(req.file.filename));
 */
function multer(options?: multer.Options): multer.Multer {
  if (options === undefined) return new Multer({});
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('Expected object for argument options');
  }
  return new Multer(options);
}

/** Create a storage that writes files to a directory. */
function diskStorage(options?: multer.DiskStorageOptions): multer.StorageEngine {
  return new DiskStorage(options ?? {});
}

/** Create a storage that keeps files in memory, as `file.buffer`. */
function memoryStorage(): multer.StorageEngine {
  return new MemoryStorage();
}

multer.diskStorage = diskStorage;
multer.memoryStorage = memoryStorage;
// TypeScript 7 does not let an assignment declare a member with the name of a type
Object.assign(multer, { MulterError });

declare namespace multer {
  type Multer = types.Multer;
  type Options = types.Options;
  type StorageEngine = types.StorageEngine;
  type DiskStorageOptions = types.DiskStorageOptions;
  type FileFilterCallback = types.FileFilterCallback;
  type Field = types.Field;
  type ErrorCode = errors.ErrorCode;
  type MulterError = errors.MulterError;
  const MulterError: typeof errors.MulterError;
}

// Node.js finds the names for `import { diskStorage } from` by reading this text; the last line replaces the value.
module.exports = { diskStorage, memoryStorage, MulterError };

export = multer;
