/**
 * Files that lie compressed beside the original, as `main.js.br` beside `main.js`: which of them a client gets (RFC 9110,
 * sections 8.4 and 12.5.3).
 */
import { constants, fstatSync, open } from 'node:fs';
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getField, setField } from '../http/fields';
import { codingsByPreference, refusesIdentity } from '../protocol/accept-token';
import { appendVary } from '../protocol/vary';
import { closeNow } from './close-now';
import type { Coding, FilePolicy } from './options';
import { asksForPart } from './part';

/** What follows the name of the original. */
const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', zstd: '.zst' };

/** To open a pipe must not wait for a writer. Windows knows neither. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A compressed file, open. */
export interface CodedFile {
  coding: Coding;
  fd: number;
  stats: Stats;
}

/**
 * The codings in which a response may be sent, the most preferred first. A part is one of the original, which every
 * client can put together, unless the client refuses it; then `Range` is ignored.
 */
export function codingsFor(req: IncomingMessage, res: ServerResponse, policy: FilePolicy): Coding[] {
  const header = req.headers['accept-encoding'];
  // somebody else encodes the response
  if (header === undefined || getField(res, 'content-encoding') !== undefined) return [];
  if (asksForPart(req, policy) && !refusesIdentity(header)) return [];
  return codingsByPreference(header, policy.precompressed!);
}

/**
 * Opens the first compressed file that is there and not older than the original: that one would be of an earlier version.
 * @param found called with undefined, at once where there are no codings, if there is none
 */
export function openCoded(
  path: string,
  original: Stats,
  codings: readonly Coding[],
  found: (file?: CodedFile) => void,
): void {
  const [coding, ...others] = codings;
  if (coding === undefined) {
    found();
    return;
  }
  open(path + EXTENSIONS[coding], OPEN_FLAGS, (error, fd) => {
    const stats = error === null ? statsOf(fd, original) : undefined;
    if (stats === undefined) openCoded(path, original, others, found);
    else found({ coding, fd, stats });
  });
}

/** The stats of a file that can be sent in place of the original; otherwise it is closed. */
function statsOf(fd: number, original: Stats): Stats | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile() && inSeconds(stats) >= inSeconds(original)) return stats;
  } catch {
    // then the original is sent
  }
  closeNow(fd);
  return undefined;
}

/** Tools that give a compressed file the time of the original often do so without its fraction. */
function inSeconds({ mtimeMs }: Stats): number {
  return Math.floor(mtimeMs / 1000);
}

/** Sets what says in which coding the file is sent, and that this depends on the request. */
export function setCoding(res: ServerResponse, coding: Coding | null): void {
  const vary = getField(res, 'vary') ?? '';
  res.setHeader('Vary', appendVary(Array.isArray(vary) ? vary.join(', ') : String(vary), 'Accept-Encoding'));
  if (coding !== null) setField(res, 'content-encoding', 'Content-Encoding', coding);
}
