/** Processes a body once it is complete: calls `verify`, decodes it, parses it, and calls the next handler. */
import type * as http from 'node:http';
import { httpError } from '../protocol/errors';
import type { HttpError } from '../protocol/errors';
import { isError } from '../realms';
import { isPromise } from '../realms';
import type { Next } from '../types/next';
import type { BodyRequest } from './accept-body';
import { decode } from './charset';
import type { Verify } from './parser-options';

/** The context needed to take a body from its bytes to the next handler. */
export interface Delivery {
  readonly req: BodyRequest;
  readonly res: http.ServerResponse;
  readonly next: Next;
  readonly verify: Verify | undefined;
  /** Creates `req.body` from the text, or from the bytes if `charset` is null. */
  readonly parse: (body: never) => unknown;
  readonly charset: string | null;
}

type VerifyAsCalled = (
  req: http.IncomingMessage,
  res: http.ServerResponse,
  bytes: Buffer,
  charset: string | null,
) => unknown;

/** Sets `req.body` to the parsed body and calls `next`, with an error if that fails. */
export function deliver(delivery: Delivery, bytes: Buffer): void {
  if (delivery.verify === undefined) parseAndPassOn(delivery, bytes);
  else verifyFirst(delivery, delivery.verify, bytes);
}

/** Awaits an async `verify`: if its rejection came too late, a forged body would already have been trusted. */
function verifyFirst(delivery: Delivery, verify: Verify, bytes: Buffer): void {
  let result: unknown;
  try {
    // Its declared type omits a null charset and a returned promise, as in body-parser.
    result = (verify as VerifyAsCalled)(delivery.req, delivery.res, bytes, delivery.charset);
  } catch (cause) {
    delivery.next(deliveryError(403, cause, bytes, 'entity.verify.failed'));
    return;
  }
  if (!isPromise(result)) {
    parseAndPassOn(delivery, bytes);
    return;
  }
  result.then(
    () => parseAndPassOn(delivery, bytes),
    (cause: unknown) => delivery.next(deliveryError(403, cause, bytes, 'entity.verify.failed')),
  );
}

function parseAndPassOn(delivery: Delivery, bytes: Buffer): void {
  const { charset, next, parse } = delivery;
  let body: string | Buffer = bytes;
  let parsed: unknown;
  try {
    if (charset !== null) body = decode(bytes, charset);
    parsed = parse(body as never);
  } catch (cause) {
    next(deliveryError(400, cause, body, 'entity.parse.failed'));
    return;
  }
  delivery.req.body = parsed;
  next();
}

/** Returns an error that keeps the cause's status and type, if any, and carries the body as it was received. */
function deliveryError(
  status: number,
  cause: unknown,
  body: string | Buffer,
  defaultType: string,
): HttpError {
  let known: string | Error | undefined;
  let type: unknown;
  try {
    if (isError(cause) || typeof cause === 'string') known = cause;
    ({ type } = Object(cause) as { type?: unknown });
  } catch {
    // A proxy or a getter has thrown. While a body arrives, nothing else would catch that
  }
  return httpError(status, known, { body, type: type || defaultType });
}
