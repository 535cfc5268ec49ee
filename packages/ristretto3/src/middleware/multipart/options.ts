/** The options of `web.multipart()`, checked once. */
import { getHashes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { byteSize } from '../byte-size';

/** What `web.multipart()` takes. */
export interface MultipartOptions {
  /** The greatest body, in bytes or as text such as `'10mb'`; `'100mb'` by default. */
  limit?: number | string | undefined;
  /** Where files are put; the system's temporary directory by default. */
  uploadDir?: string | undefined;
  /** Whether files keep their extensions, up to 16 letters, digits, `_` and `-` of each; true by default. */
  keepExtensions?: boolean | undefined;
  /** The digest that each file is given, such as `'sha1'`; none by default. */
  hash?: string | false | undefined;
  /** How many fields that are not files are taken; 1000 by default. */
  maxFields?: number | undefined;
  /** How many bytes they may have together; 2 MiB by default. */
  maxFieldsSize?: number | string | undefined;
  /** How many files are taken; 1000 by default. */
  maxFiles?: number | undefined;
  /** How many bytes they may have together; as many as the body by default. */
  maxFilesSize?: number | string | undefined;
  /** Passes control on at once; `req.form` tells of fields and files as they come. */
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

/** @throws TypeError for an option that can't be meant, with its value */
export function multipartPolicy(options: MultipartOptions): MultipartPolicy {
  const size = (option: 'limit' | 'maxFieldsSize' | 'maxFilesSize'): number =>
    byteSize(options[option] ?? DEFAULTS[option], option);
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
