/** `web.requestId`: gives each request an id that identifies it in the logs of all services that handle it. */
import { randomUUID } from 'node:crypto';
import { TOKEN } from '../../protocol/content-disposition';
import { compileTrust } from '../../protocol/proxy';
import type { TrustFunction } from '../../protocol/proxy';
import { FLAG, FUNCTION, checkOptions } from '../../report/option-checks';
import type { Kinds } from '../../report/option-checks';
import type { Request, RequestHandler, Response } from '../../types/core';
import type { RequestIdOptions } from '../../types/operation';

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Returns the trace id of a `traceparent`: 32 hexadecimal digits in lower case.
 * @returns undefined if the header is malformed; of future versions, only the known part is read
 * @example traceIdOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'); // '0af7651916cd43dd8448eb211c80319c'
 */
export function traceIdOf(header: string): string | undefined {
  const [, version, traceId, parentId, more] = TRACEPARENT.exec(header) ?? [];
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return traceId === undefined || ZEROS.test(traceId) || ZEROS.test(parentId!) ? undefined : traceId;
}

/**
 * The ids that are accepted: the alphabets of UUIDs, ULIDs, Base64 and trace ids, at a length that logs can hold.
 * Quotes, braces, brackets, `%`, `$`, `\` and whitespace are excluded: otherwise a client behind a proxy that forwards
 * everything could inject log lines, placeholders or markup.
 */
const SAFE = /^[\w.~:;/+=@-]{1,128}$/;

const CALLER = 'web.requestId()';
const TRUST_TYPES = ['boolean', 'number', 'string', 'function'];
const OPTIONS = {
  header: ['the name of a header', value => typeof value === 'string' && TOKEN.test(value)],
  trust: ['a value of the setting trust proxy', isTrust],
  generate: FUNCTION,
  respond: FLAG,
} satisfies Kinds<RequestIdOptions>;

type Identified = Request & { id?: unknown };

function isTrust(value: unknown): boolean {
  try {
    compileTrust(value);
    return Array.isArray(value) || TRUST_TYPES.includes(typeof value);
  } catch {
    return false;
  }
}

/**
 * Creates middleware that sets `req.id` to the id in the request header of a trusted proxy, or to the trace id of its
 * `traceparent`, or else to a new id, and sends it in the response. An id that other middleware has set is kept.
 * @throws TypeError for a `header` that is not a header name, an invalid `trust`, and a `generate` that is not a
 * function
 * @example app.use(web.requestId());
 */
export function requestId(options: RequestIdOptions = {}): RequestHandler {
  checkOptions(CALLER, options, OPTIONS);
  const { header = 'X-Request-Id', generate = uuid, respond = true } = options;
  const name = header.toLowerCase();
  const trust = options.trust === undefined ? undefined : compileTrust(options.trust);

  return function requestId(req: Identified, res: Response, next: () => void) {
    if (req.id === undefined) {
      const isTrusted = (trust ?? settingOf(req))(req.socket.remoteAddress, 0);
      req.id = (isTrusted ? givenId(req, name) : undefined) ?? checked(generate(req));
    }
    if (respond) res.setHeader(header, String(req.id));
    next();
  };
}

function settingOf({ app }: Request): TrustFunction {
  return app.get('trust proxy fn') as TrustFunction;
}

/** The id that the peer has sent with the request. */
function givenId({ headers }: Request, name: string): string | undefined {
  const id = headers[name];
  if (typeof id === 'string' && SAFE.test(id)) return id;
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceIdOf(traceparent) : undefined;
}

const uuid = (): string => randomUUID();

/** @throws TypeError for an invalid id, which an application's own `generate` may have returned */
function checked(id: unknown): string {
  if (typeof id === 'string' && id !== '') return id;
  throw new TypeError(
    `Expected generate to return a string, got ${typeof id === 'string' ? "''" : String(id)}`,
  );
}
