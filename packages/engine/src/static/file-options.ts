/** Checks the options of file serving and computes a `FilePolicy` from them once, so that requests need not. */
import { resolve } from 'node:path';
import { readDuration } from '../amount';
import { shown } from '../shown';
import type { SendOptions } from '../types/files';
import type { FileVersion } from '../version';

/** How names that begin with a dot are treated. */
export type Dotfiles = FileVersion['files']['dotfiles'];

const CODINGS = ['br', 'gzip', 'zstd'] as const;
/** A content coding for which a precompressed file may exist beside the original. */
export type Coding = (typeof CODINGS)[number];

/** How files are sent: the options with their defaults. */
export interface FilePolicy {
  readonly version: FileVersion;
  /** The directory that no path may leave, absolute; undefined if paths are absolute themselves. */
  readonly root: string | undefined;
  readonly acceptRanges: boolean;
  /** The value of `Cache-Control`; undefined for none. */
  readonly cacheControl: string | undefined;
  readonly dotfiles: Dotfiles;
  readonly etag: boolean;
  readonly lastModified: boolean;
  /** Names of index files to try in a directory. */
  readonly index: readonly string[];
  /** Extensions to try if the file does not exist, without the dot. */
  readonly extensions: readonly string[];
  /** The positions of the first and the last byte to send. */
  readonly start: number;
  readonly end: number;
  /** Codings of precompressed files to look for, in order of preference; undefined for none. */
  readonly precompressed: readonly Coding[] | undefined;
}

/** The options, with values of any type, since JavaScript callers are not type-checked. */
export type FileOptions = Partial<Record<keyof SendOptions | 'maxage' | 'hidden', unknown>>;

const YEAR = 365 * 24 * 60 * 60 * 1000;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError for an invalid value of `dotfiles`, `extensions`, `index`, `precompressed`, `root`, `start` or
 * `end`
 * @example filePolicy({ root: 'public', maxAge: '1 day' }, version).cacheControl; // 'public, max-age=86400'
 */
export function filePolicy(options: FileOptions, version: FileVersion): FilePolicy {
  return {
    version,
    root: options.root ? resolve(options.root as string) : undefined,
    acceptRanges: isOn(options.acceptRanges),
    cacheControl: isOn(options.cacheControl) ? cacheControl(options) : undefined,
    dotfiles: dotfiles(options, version.files),
    etag: isOn(options.etag),
    lastModified: isOn(options.lastModified),
    index: options.index === undefined ? ['index.html'] : names(options.index, 'index'),
    extensions: options.extensions === undefined ? [] : names(options.extensions, 'extensions'),
    start: options.start ? position(options.start, 'start') : 0,
    end: options.end == null ? Infinity : position(options.end, 'end'),
    precompressed: options.precompressed ? codings(options) : undefined,
  };
}

/** Reads an option that is on by default. */
function isOn(option: unknown): boolean {
  return option === undefined || Boolean(option);
}

/** Returns milliseconds; 0 for nothing, and undefined for what can't be read. NaN and '' are as falsy as 0. */
function maxAgeOf(options: FileOptions): number | undefined {
  const given: unknown = options.maxAge || options.maxage || options.maxAge;
  return given === undefined || given === null || given === false ? 0 : readDuration(given);
}

/**
 * Rejects what can't be read. Only middleware does, when it is created: a call of `res.sendFile` must not begin to fail.
 * @throws TypeError
 */
export function checkMaxAge(options: FileOptions): void {
  if (maxAgeOf(options) !== undefined) return;
  const given = shown(options.maxAge ?? options.maxage);
  throw new TypeError(`maxAge option must be milliseconds or a string such as '1d', got ${given}`);
}

function cacheControl(options: FileOptions): string {
  const maxAge = maxAgeOf(options) ?? 0;
  const value = 'public, max-age=' + String(Math.floor(Math.min(Math.max(maxAge, 0), YEAR) / 1000));
  return options.immutable ? value + ', immutable' : value;
}

function dotfiles(options: FileOptions, files: FileVersion['files']): Dotfiles {
  switch (options.dotfiles) {
    case undefined:
      return options.hidden && files.knowsHidden ? 'allow' : files.dotfiles;
    case 'allow':
    case 'deny':
    case 'ignore':
      return options.dotfiles;
    default:
      throw new TypeError('dotfiles option must be "allow", "deny", or "ignore"');
  }
}

/** Accepts one name, a list of names, or a falsy value for none. */
function names(value: unknown, option: string): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : value ? [value] : [];
  return list.map(name => {
    if (typeof name !== 'string') throw new TypeError(`${option} option must be array of strings or false`);
    return name;
  });
}

function position(value: unknown, option: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new TypeError(`${option} option must be a position in the file: ${String(value)}`);
}

function codings({ precompressed, start, end }: FileOptions): readonly Coding[] {
  const list: readonly unknown[] = Array.isArray(precompressed) ? precompressed : [precompressed];
  const bad = list.findIndex(coding => !CODINGS.includes(coding as Coding));
  if (bad >= 0 || !Array.isArray(precompressed)) {
    const wanted = "an array of 'br', 'zstd' and 'gzip'";
    throw new TypeError(`precompressed option must be ${wanted}, got ${shown(list[Math.max(bad, 0)])}`);
  }
  if (start || end != null) throw new TypeError('precompressed option cannot be combined with start or end');
  return list.slice() as Coding[];
}
