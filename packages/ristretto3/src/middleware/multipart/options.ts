/** The options of `web.multipart()`, checked once. */
import { getHashes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { byteSize } from '../byte-size';

/** What `web.multipart()` takes. */
export interface MultipartOptions {
  /** The greatest body, in bytes or as text such as `'10mb'`. @default '100mb' */
  limit?: number | string | undefined;
  /** Where files are put. @default the system's temporary directory */
  uploadDir?: string | undefined;
  /** Whether files keep their extensions, up to 16 letters, digits, `_` and `-` of each. @default true */
  keepExtensions?: boolean | undefined;
  /** The digest that each file is given, such as `'sha1'`. @default none */
  hash?: string | false | undefined;
  /** How many fields that are not files are taken. @default 1000 */
  maxFields?: number | undefined;
  /** How many bytes they may have together. @default 2 MiB */
  maxFieldsSize?: number | string | undefined;
  /** How many files are taken. @default 1000 */
  maxFiles?: number | undefined;
  /** How many bytes they may have together. @default as many as the body */
  maxFilesSize?: number | string | undefined;
  /** Passes control on at once; `req.form` tells of fields and files as they come. @default false */
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
