/** A case: an application changes a member of a message that it should leave alone, and sends a response. */
import type { Random } from '../../../packages/engine/test/support/random.js';

export interface Case {
  of: 'req' | 'res';
  /** The name of the member, or `Symbol(name)` for a symbol of Node's; empty if the change is to the whole object. */
  member: string;
  change: string;
  /** How the application responds. */
  way: string;
  /** When the member is changed: before the call that responds, after it, in the next tick, or in the next turn of the event loop. */
  moment: 'before' | 'after' | 'tick' | 'turn';
}

/** What the client and the process observed. */
export interface Outcome {
  /** Status and size of the response, or how the request failed. */
  answer: string;
  /** The same of the next request on the connection. */
  next: string;
  /** Exceptions that would have ended the process. */
  uncaught: string[];
}

type Changed = Record<PropertyKey, unknown>;

/** Changes to one member. */
export const CHANGES: Record<string, (message: Changed, key: PropertyKey) => unknown> = {
  'is deleted': (message, key) => Reflect.deleteProperty(message, key),
  'becomes undefined': (message, key) => (message[key] = undefined),
  'becomes null': (message, key) => (message[key] = null),
  'becomes empty': (message, key) => (message[key] = key === '_events' ? {} : ''),
  'becomes an object': (message, key) => (message[key] = {}),
  'becomes a copy': (message, key) => (message[key] = copyOf(message[key])),
};

const copyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (Object.create(value) as object) : value;

/** Changes to a whole message. Node itself cannot read on if a request is frozen. */
export const WHOLE: Record<string, (message: Changed) => unknown> = {
  'is sealed': Object.seal,
  'loses its listeners': message => (message.removeAllListeners as () => unknown)(),
};

const OF_STREAMS = ['_events', 'destroyed', 'closed', 'errored', 'on', 'once', 'emit', 'get'];
const MEMBERS = {
  req: `url method headers rawHeaders trailers socket connection res app next route params query body baseUrl originalUrl httpVersion
    httpVersionMajor complete readable aborted _parsedUrl _consuming _dumped upgrade headersDistinct readableEnded signal
    Symbol(kHeaders) Symbol(kHeadersCount) Symbol(shapeMode)`,
  res: `req app locals socket connection outputData outputSize finished writable _header _headerSent statusCode statusMessage sendDate
    shouldKeepAlive chunkedEncoding _last _contentLength _hasBody _removedConnection _removedTE _closed _keepAliveTimeout
    _onPendingData __onFinished writableFinished headersSent writableEnded _defaultKeepAlive maxRequestsOnConnectionReached
    useChunkedEncodingByDefault _trailer _sent100 Symbol(kOutHeaders) Symbol(kCorked) Symbol(kNeedDrain) Symbol(kErrored)
    Symbol(kSocket) Symbol(kUniqueHeaders) Symbol(kBytesWritten) end write setHeader getHeader removeHeader writeHead set json send
    assignSocket detachSocket _finish _send _implicitHeader flushHeaders _storeHeader destroy _writeRaw`,
};
const MOMENTS = ['before', 'after', 'tick', 'turn'] as const;

export function generateCase(random: Random, ways: readonly string[]): Case {
  const of = random.pick(['req', 'res'] as const);
  const one = { of, way: random.pick(ways), moment: random.pick(MOMENTS) };
  if (random.chance(0.05)) return { ...one, member: '', change: random.pick(Object.keys(WHOLE)) };
  const member = random.pick([...MEMBERS[of].split(/\s+/), ...OF_STREAMS]);
  const change = random.pick(Object.keys(CHANGES));
  // Nothing can be sent on any other object: whether an exception is caught depends on when it is thrown
  return /socket|connection/i.test(member) && change === 'becomes an object'
    ? { ...one, member, change: 'becomes a copy' }
    : { ...one, member, change };
}

export const titleOf = ({ of, member, change, way, moment }: Case): string =>
  `${of}${member && `.${member}`} ${change} (${moment}), the application responds with ${way}`;
