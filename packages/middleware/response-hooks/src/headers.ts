/** The headers of a response whose body or header block a hook may change. */
import { Buffer } from 'node:buffer';
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Content } from './hook';

/** What `writeHead` accepts as headers. */
type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[] | null | undefined;

/**
 * Sets the headers passed to `writeHead` after the status, so that hooks can read and change them.
 * @returns the reason phrase if there is one
 * @throws TypeError for an invalid header
 */
export function applyWriteHeadArguments(
  res: ServerResponse,
  [first, second]: readonly unknown[],
): string | undefined {
  const reason = typeof first === 'string' ? first : undefined;
  setHeaders(res, (reason === undefined ? (first ?? second) : second) as GivenHeaders);
  return reason;
}

function setHeaders(res: ServerResponse, given: GivenHeaders): void {
  if (given == null || res.headersSent) return;
  if (!Array.isArray(given)) {
    for (const name of Object.keys(given)) if (given[name] !== undefined) res.setHeader(name, given[name]);
    return;
  }
  const pairs = Array.isArray(given[0]) ? (given as [string, string][]) : pairsOf(given as string[]);
  for (const [name] of pairs) res.removeHeader(name);
  for (const [name, value] of pairs) res.appendHeader(name, value);
}

function pairsOf(given: string[]): [string, string][] {
  return given.flatMap((name, i) => (i % 2 === 0 ? [[name, given[i + 1]!]] : []));
}

/** Corrects the length of a body that has been replaced. @throws Error if another one has been sent */
export function setLength(res: ServerResponse, body: Content): void {
  if (!res.hasHeader('Content-Length')) return;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  if (!res.headersSent) {
    res.setHeader('Content-Length', length);
  } else if (Number(res.getHeader('Content-Length')) !== length) {
    throw new Error(
      `A response hook replaced a body by one of ${length} bytes, but writeHead has sent the Content-Length ${String(res.getHeader('Content-Length'))}`,
    );
  }
}

/**
 * Headers that describe or frame a body, and would be wrong for an error's body. Node refuses to send trailers with a body
 * whose length is known.
 */
const ABOUT_BODY = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Last-Modified',
  'Location',
  'Trailer',
  'Transfer-Encoding',
];

/** The key of a function that Ristretto calls when a response that was held back is replaced by another. */
const ON_RESET = Symbol.for('ristretto.onReset');

/** Removes the length of a body that will not be sent. */
export function removeLength(res: ServerResponse): void {
  res.removeHeader('Content-Length');
  forgetRemoved(res);
}

/** With both flags, which `removeHeader` sets, Node would send a body that ends with the connection. */
function forgetRemoved(res: ServerResponse): void {
  for (const flag of ['_removedContLen', '_removedTE'])
    if (flag in res) Object.assign(res, { [flag]: false });
}

/** Resets the status, and removes what described a body that will not be sent. Other headers, such as cookies, are kept. */
export function resetResponse(res: ServerResponse): void {
  for (const name of ABOUT_BODY) res.removeHeader(name);
  forgetRemoved(res);
  (res as { [ON_RESET]?: () => void })[ON_RESET]?.();
  res.statusCode = 200;
  // HTTP/2 has no status message, and warns when it is set
  if (!('stream' in res)) res.statusMessage = undefined as unknown as string;
}

/** Whether nobody has begun another response since a response was reset. */
export function isUntouched(res: ServerResponse): boolean {
  return res.statusCode === 200 && !res.hasHeader('Content-Type');
}
