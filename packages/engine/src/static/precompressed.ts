/**
 * Selects among precompressed files beside the original, such as `main.js.br` beside `main.js`, the one to send to a
 * client (RFC 9110, sections 8.4 and 12.5.3).
 */
import { constants, fstatSync, open } from 'node:fs';
import type { Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getField, setField } from '../serving/fields';
import { codingsByPreference, refusesIdentity } from '../protocol/accept-token';
import { appendVary } from '../protocol/vary';
import { closeNow } from './close-now';
import type { Coding, FilePolicy } from './file-options';
import { asksForPart } from './part';

/** Appended to the name of the original. */
const EXTENSIONS: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', zstd: '.zst' };

/** Opening a pipe must not wait for a writer. Windows has no `O_NONBLOCK`. */
export const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** An open compressed file. */
interface CodedFile {
  coding: Coding;
  fd: number;
  stats: Stats;
}

/**
 * Returns the codings in which a response may be sent, in order of preference. Ranges are sent from the original,
 * because every client can assemble them, unless the client refuses it; then `Range` is ignored.
 */
export function codingsFor(req: IncomingMessage, res: ServerResponse, policy: FilePolicy): Coding[] {
  // The names of codings and of the parameter `q` are case-insensitive
  const header = req.headers['accept-encoding']?.toLowerCase();
  // Other code will encode the response
  if (header === undefined || getField(res, 'content-encoding') !== undefined) return [];
  if (asksForPart(req, policy) && !refusesIdentity(header)) return [];
  return codingsByPreference(header, policy.precompressed!);
}

/**
 * Opens the first compressed file that exists and is not older than the original: an older one would contain an
 * earlier version.
 * @param found called with undefined if there is none; synchronously if there are no codings
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

/** Returns the stats of a file that can be sent instead of the original; closes any other. */
function statsOf(fd: number, original: Stats): Stats | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFile() && inSeconds(stats) >= inSeconds(original)) return stats;
  } catch {
    // Sends the original file
  }
  closeNow(fd);
  return undefined;
}

/** Compares whole seconds: tools that copy the time of the original to a compressed file often drop its fraction. */
function inSeconds({ mtimeMs }: Stats): number {
  return Math.floor(mtimeMs / 1000);
}

/** Sets the headers for the file's content coding, and `Vary`, because the coding depends on the request. */
export function setCoding(res: ServerResponse, coding: Coding | null): void {
  const vary = getField(res, 'vary') ?? '';
  res.setHeader('Vary', appendVary(Array.isArray(vary) ? vary.join(', ') : String(vary), 'Accept-Encoding'));
  if (coding !== null) setField(res, 'content-encoding', 'Content-Encoding', coding);
}
