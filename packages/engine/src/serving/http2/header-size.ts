/** The limit of header blocks that Node sends: it ends the whole session instead of sending a larger one. */
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { HeadFields } from '../head';
import { undocumented } from '../node-internals';

/** The limit of nghttp2, in bytes, unless the server has the option `maxSendHeaderBlockLength`. */
const DEFAULT_LIMIT = 65_536;
/**
 * The bytes that nghttp2 adds for a block (two changes of the table's size, a priority) and for each header (two
 * lengths).
 */
const PER_BLOCK = 12 + 5;
const PER_FIELD = 12;
/** The status, and the date, which Node adds itself. */
const OWN_FIELDS = 2 * PER_FIELD + ':status200'.length + 'dateThu, 01 Jan 1970 00:00:00 GMT'.length;

const limits = new WeakMap<Http2Session, number>();

/**
 * Checks the size of a header section, as nghttp2 estimates it before it compresses.
 * @throws RangeError if Node cannot send it
 */
export function checkSize({ session }: ServerHttp2Stream, fields: HeadFields): void {
  let size = PER_BLOCK + OWN_FIELDS;
  for (const name in fields) {
    const value = fields[name]!;
    if (typeof value === 'string') size += PER_FIELD + name.length + value.length;
    else for (const one of value) size += PER_FIELD + name.length + one.length;
  }
  if (session === undefined) return;
  let limit = limits.get(session);
  if (limit === undefined) limits.set(session, (limit = limitOf(session)));
  if (size <= limit) return;
  throw new RangeError(
    `The headers take ${size} bytes, more than HTTP/2 servers send. ` +
      `Send fewer headers, or raise the server's option maxSendHeaderBlockLength, which is ${limit}`,
  );
}

function limitOf(session: Http2Session): number {
  const { server } = session as { server?: object };
  const options = server && undocumented<{ maxSendHeaderBlockLength?: number }>(server, 'options');
  return options?.maxSendHeaderBlockLength ?? DEFAULT_LIMIT;
}
