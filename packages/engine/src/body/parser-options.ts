/** The options that all body parsers share, checked once when a parser is created. */
import type * as http from 'node:http';
import { Readable } from 'node:stream';
import { deferred } from '../deferred';
import { reportsMistakes } from '../report/development';
import type * as warn from '../dev/warn';
import type * as optionNames from '../dev/setting-names';
import { readSize } from '../amount';
import { shown } from '../shown';
import type { NextHandleFunction, Options } from '../types/body';
import type { BodyVersion } from '../version';
import { contentCoding } from './inflate';

export type TypeTest = (req: http.IncomingMessage) => unknown;
export type Verify = NonNullable<Options['verify']>;

/** The shared options with their defaults filled in. */
export interface CommonOptions {
  inflate: boolean;
  /** In bytes, after inflation. */
  limit: number;
  /** The option `type`: a function to call, or a list for `typeIs`. */
  type: TypeTest | readonly unknown[];
  verify: Verify | undefined;
  version: BodyVersion;
}

/** The options of all parsers. */
const OPTIONS = [
  ...[
    'inflate',
    'limit',
    'type',
    'verify',
    'raw',
    'strict',
    'reviver',
    'defaultCharset',
    'extended',
    'parameterLimit',
  ],
  ...['depth', 'strictDepth', 'charsetSentinel', 'interpretNumericEntities'],
];

const names = deferred(() => require('../dev/setting-names') as typeof optionNames, reportsMistakes);
const explanations = deferred(() => require('../dev/warn') as typeof warn, reportsMistakes);

/** 100 KiB, the same as `'100kb'`. */
const DEFAULT_LIMIT = 102_400;

/**
 * Reads `inflate`, `limit`, `type`, `verify` and `raw`.
 * @param options as passed by the application; missing or null values get their defaults.
 * @param defaultType the media type that the parser accepts by default.
 * @throws TypeError for a `limit` that is not a size, a `verify` that is not a function, and a `type` or `raw` of
 * the wrong kind.
 * @example
 * readCommonOptions({ limit: '1mb' }, 'text/plain', version); // { inflate: true, limit: 1048576, type: ['text/plain'], … }
 */
export function readCommonOptions(
  options: Options,
  defaultType: string,
  version: BodyVersion,
): CommonOptions {
  if (reportsMistakes()) names().warnOfUnknownOption('The body parser', options, OPTIONS);
  return {
    version,
    inflate: options.inflate !== false,
    limit: readLimit(options.limit),
    type: readType(options.type || defaultType),
    verify: keeping(options.raw, readVerify(options.verify)),
  };
}

/** Notes on a parser what it accepts, for the OpenAPI document: a minified bundle changes the name of its function. */
export function describeParser(
  kind: 'json' | 'urlencoded' | 'text' | 'raw',
  { type }: CommonOptions,
  parser: NextHandleFunction,
): NextHandleFunction {
  return Object.defineProperty(parser, '~parser', { value: { kind, type } });
}

/** Reads the limit. A value that is not a number is rejected, because no body would exceed it (CVE-2026-12590). */
function readLimit(limit: unknown): number {
  if (limit === undefined || limit === null) return DEFAULT_LIMIT;
  const size = readSize(limit);
  if (size === undefined) {
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- format objects as body-parser does
    const error = new TypeError(`option limit "${String(limit)}" is invalid`);
    if (reportsMistakes())
      explanations().explainError(error, ["It takes a number of bytes, or text such as '1mb'."]);
    throw error;
  }
  return size;
}

function readType(type: unknown): TypeTest | readonly unknown[] {
  if (typeof type === 'function') return type as TypeTest;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as unknown[];
  throw new TypeError(
    `option type must be a string, an array of strings or a function, not "${String(type)}"`,
  );
}

function readVerify(verify: unknown): Verify | undefined {
  if (!verify) return undefined;
  if (typeof verify !== 'function') throw new TypeError('option verify must be function');
  return verify as Verify;
}

interface Kept extends http.IncomingMessage {
  rawBody?: Buffer;
}

/** Returns a `verify` that keeps the bytes of those requests whose bytes are wanted. */
function keeping(raw: Options['raw'], verify: Verify | undefined): Verify | undefined {
  if (!raw) return verify;
  if (raw !== true && typeof raw !== 'function')
    throw new TypeError(`option raw must be a boolean or a function, got ${shown(raw)}`);
  return (req, res, bytes, charset) => {
    if (raw === true || raw(req)) keep(req, bytes);
    return verify?.(req, res, bytes, charset);
  };
}

function keep(req: Kept, bytes: Buffer): void {
  req.rawBody = bytes;
  // The headers describe what the client has sent, and not what was decompressed.
  if (contentCoding(req.headers, true) !== undefined) return;
  Object.defineProperty(req, 'pipe', { value: pipeKept, configurable: true, writable: true });
}

/** `req.pipe` of a request whose bytes are kept, as of proxies behind the parser: the stream itself is at its end. */
function pipeKept<T extends NodeJS.WritableStream>(
  this: Kept,
  destination: T,
  options?: { end?: boolean },
): T {
  destination.write(this.rawBody!);
  return Readable.prototype.pipe.call(this, destination, options) as T;
}
