/** The options of `web.multipart()`, validated once. */
import { getHashes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { sizeOption } from '@ristretto/private-engine/lib/amount';

/** The options of `web.multipart()`. */
export interface MultipartOptions {
  /** The maximum size of the body, in bytes or as text such as `'10mb'`. @default '100mb' */
  limit?: number | string | undefined;
  /** The directory for files. @default the system's temporary directory */
  uploadDir?: string | undefined;
  /** Whether files keep their extensions, up to 16 letters, digits, `_` and `-` of each. @default true */
  keepExtensions?: boolean | undefined;
  /** The hash algorithm for each file, such as `'sha1'`. @default none */
  hash?: string | false | undefined;
  /** The maximum number of fields that are not files. @default 1000 */
  maxFields?: number | undefined;
  /** The maximum size of all such fields together. @default 2 MiB */
  maxFieldsSize?: number | string | undefined;
  /** The maximum number of files. @default 1000 */
  maxFiles?: number | undefined;
  /** The maximum size of all files together. @default that of the body */
  maxFilesSize?: number | string | undefined;
  /** Calls the next handler immediately; `req.form` emits fields and files as they arrive. @default false */
  defer?: boolean | undefined;
}

/** The options with their defaults filled in. */
export interface MultipartPolicy {
  limit: number;
  uploadDir: string;
  keepExtensions: boolean;
  hash: string | undefined;
  maxFields: number;
  maxFieldsSize: number;
  maxFiles: number;
  maxFilesSize: number;
  defer: boolean;
}

const DEFAULTS = {
  limit: '100mb',
  maxFields: 1000,
  maxFieldsSize: '2mb',
  maxFiles: 1000,
  maxFilesSize: Infinity,
};

/**
 * Returns the validated options with their defaults.
 * @throws TypeError for an invalid option, with its value
 */
export function multipartPolicy(options: MultipartOptions): MultipartPolicy {
  const size = (option: 'limit' | 'maxFieldsSize' | 'maxFilesSize'): number =>
    sizeOption('web.multipart()', option, options[option] ?? DEFAULTS[option], 0);
  return {
    limit: size('limit'),
    uploadDir: options.uploadDir ?? tmpdir(),
    keepExtensions: options.keepExtensions ?? true,
    hash: digest(options.hash),
    maxFields: count(options.maxFields ?? DEFAULTS.maxFields, 'maxFields'),
    maxFieldsSize: size('maxFieldsSize'),
    maxFiles: count(options.maxFiles ?? DEFAULTS.maxFiles, 'maxFiles'),
    maxFilesSize: size('maxFilesSize'),
    defer: Boolean(options.defer),
  };
}

function count(value: unknown, option: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw new TypeError(`${option} must be a number, not ${String(value)}`);
}

function digest(hash: string | false | undefined): string | undefined {
  if (!hash) return undefined;
  if (getHashes().includes(hash)) return hash;
  throw new TypeError(`hash must be the name of a digest, such as 'sha1', not ${hash}`);
}
