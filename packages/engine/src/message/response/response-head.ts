/** Copies the status and the headers of a Fetch API `Response` to a response. */
import { OF_CONNECTION } from '../../serving/fields';
import type { Response } from '../../types/internals';
import type { ResponseLike } from './body-source';

/** Headers that describe the encoded body. */
const OF_ENCODED = new Set(['content-encoding', 'content-length']);
/** The codings that `fetch` decodes; the headers of its responses still mention them. */
const DECODED = /^\s*(?:x-)?(?:gzip|deflate|br)\s*(?:,\s*(?:x-)?(?:gzip|deflate|br)\s*)*$/i;

/**
 * Sets status and headers; cookies are added to existing ones. Headers about the connection are skipped, and those
 * about an encoding that `fetch` has decoded.
 * @returns a function that reverts all changes
 */
export function takeHead(res: Response, response: ResponseLike): () => void {
  const { statusCode, statusMessage } = res;
  const replaced = new Map<string, ReturnType<Response['getHeader']>>();
  const isDecoded = response.url !== '' && DECODED.test(response.headers.get('content-encoding') ?? '');
  res.statusCode = response.status;
  if (response.statusText !== '') res.statusMessage = response.statusText;
  for (const [name, value] of response.headers) {
    if (OF_CONNECTION.has(name) || (isDecoded && OF_ENCODED.has(name))) continue;
    if (!replaced.has(name)) replaced.set(name, res.getHeader(name));
    if (name === 'set-cookie') res.append(name, value);
    else res.setHeader(name, value);
  }
  return () => {
    res.statusCode = statusCode;
    res.statusMessage = statusMessage;
    for (const [name, value] of replaced) {
      if (value === undefined) res.removeHeader(name);
      else res.setHeader(name, value);
    }
  };
}
