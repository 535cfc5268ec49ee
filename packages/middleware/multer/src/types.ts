/** The types of options, storages and files, with the names of multer's types. */
import type { Request, RequestHandler } from 'express';
import type { Readable, Writable } from 'node:stream';
import type { Limits } from './limits';

export type { Request, RequestHandler };

declare global {
  namespace Express {
    namespace Multer {
      /** A file of a form. */
      interface File {
        /** The name of the form field. */
        fieldname: string;
        /** The name of the file as the client sent it: not to be trusted. */
        originalname: string;
        /** The Content-Transfer-Encoding that the client sent: no longer used (RFC 7578, section 4.7). */
        encoding: string;
        /** The media type that the client sent: not to be trusted. */
        mimetype: string;
        /** The size in bytes. */
        size: number;
        /** The content, for storages only. */
        stream: Readable;
        /** The directory of the file (disk storage). */
        destination: string;
        /** The name of the file in its directory (disk storage). */
        filename: string;
        /** The path of the file (disk storage). */
        path: string;
        /** The content (memory storage). */
        buffer: Buffer;
      }
    }

    interface Request {
      /** The file that `single()` has received. */
      file?: Multer.File | undefined;
      /** The files that `array()`, `fields()` and `any()` have received. */
      files?: Record<string, Multer.File[]> | Multer.File[] | undefined;
    }
  }
}

export type UploadFile = Express.Multer.File;

/** What storages call. */
export type Stored = (error: unknown, info?: Partial<UploadFile>) => void;

/** Stores files. */
export interface StorageEngine {
  /**
   * Stores a file, whose content is `file.stream`.
   * @param callback called with properties to add to the file, or an error
   */
  _handleFile(
    req: Request,
    file: UploadFile,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as programs for multer declare it
    callback: (error?: any, info?: Partial<UploadFile>) => void,
  ): void;
  /** Removes a file that was stored, after an error of its request. */
  _removeFile(req: Request, file: UploadFile, callback: (error: Error | null) => void): void;
}

/** The options of `diskStorage`. */
export interface DiskStorageOptions {
  /**
   * The directory for files, which is created; or a function that finds one that exists.
   * @default the system's directory for temporary files
   */
  destination?:
    | string
    | ((req: Request, file: UploadFile, callback: (error: Error | null, destination: string) => void) => void)
    | undefined;
  /** Names a file. @default 32 random hexadecimal digits */
  filename?(req: Request, file: UploadFile, callback: (error: Error | null, filename: string) => void): void;
  /** Flush each file to the disk (`fsync`) before the next handler is called. @default false */
  flush?: boolean | undefined;
}

/** The second argument of `fileFilter`. */
export interface FileFilterCallback {
  (error: Error): void;
  (error: null, acceptFile: boolean): void;
}

/** A field of `fields()`. */
export interface Field {
  name: string;
  /** The maximum number of files. @default Infinity */
  maxCount?: number | undefined;
}

/** The options of `multer()`. */
export interface Options {
  /** Where files are stored. @default memory, or the disk if `dest` is set */
  storage?: StorageEngine | undefined;
  /** The directory for files, if `storage` is not set. */
  dest?: string | undefined;
  /** Limits of a form, or a function that returns those of a request. */
  limits?: Limits | ((req: Request) => Limits | null | undefined) | undefined;
  /** Keep directories in `originalname`. @default false */
  preservePath?: boolean | undefined;
  /** The charset of names that don't declare one. @default 'latin1' */
  defParamCharset?: string | undefined;
  /** The charset of values that don't declare one. @default 'utf8' */
  defCharset?: string | undefined;
  /** The `highWaterMark` of the stream that `streamHandler` gets. */
  highWaterMark?: number | undefined;
  /** The `highWaterMark` of `file.stream`. */
  fileHwm?: number | undefined;
  /** Decides which files are stored. @default all */
  fileFilter?(req: Request, file: UploadFile, callback: FileFilterCallback): void;
  /** Writes the body of a request to the parser. @default req.pipe(parser) */
  streamHandler?: ((req: Request, parser: Writable) => void) | undefined;
}

/** Creates middleware that receives forms. */
export interface Multer {
  /** Accept one file with this field name, as `req.file`. */
  single(fieldName: string): RequestHandler;
  /** Accept files with this field name, as `req.files`; more than `maxCount` are an error. */
  array(fieldName: string, maxCount?: number): RequestHandler;
  /** Accept files with these field names, as lists in `req.files`. */
  fields(fields: readonly Field[]): RequestHandler;
  /** Accept all files, as `req.files`: use it only where your handler processes all of them. */
  any(): RequestHandler;
  /** Accept fields only. */
  none(): RequestHandler;
}
