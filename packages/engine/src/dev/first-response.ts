/** Records where a response was sent, to explain the error that sending a second one causes. */
import type { ServerResponse } from 'node:http';
import { checkConnection } from './connection';
import { explainError } from './warn';
import { reportsMistakes } from '../report/development';
import { captureStack, isInstalled, placeOf, withoutFramework } from './place';
import { noteSent } from './pending';
import { atStack } from './watched';
import type { Watched } from './watched';

/** These methods throw once the headers have been sent. */
const OF_HEAD = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader', 'writeHead'] as const;

/** How many frames of the framework and of tools may lie above the program's call. */
const ABOVE = 16;

type Method = (...args: unknown[]) => unknown;

/**
 * Records where the response is sent. All methods that send a response call `writeHead`, except Node's own when it is
 * unpatched.
 */
export function watchResponse(watched: Watched): void {
  replace(watched.res, 'writeHead', find => (...args) => {
    const wasSent = watched.res.headersSent;
    if (!wasSent) watched.sentBy = captureStack();
    const result = Reflect.apply(find(), watched.res, args);
    if (!wasSent && watched.res.headersSent) onSent(watched);
    return result;
  });
}

function onSent(watched: Watched): void {
  noteSent(watched);
  for (const name of OF_HEAD) {
    replace(watched.res, name, find => guarded(watched, find));
  }
  checkConnection(watched);
  watched.onSent?.();
}

/** Explains what the function throws, and raises the stack limit for it, so that the program's call has a frame. */
function guarded(watched: Watched, find: () => Method): Method {
  return (...args) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = stackTraceLimit + ABOVE;
    try {
      return Reflect.apply(find(), watched.res, args);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ERR_HTTP_HEADERS_SENT') explain(error as Error, watched);
      throw error;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
}

/**
 * Replaces a method with a non-enumerable one, like the original.
 * @param make receives a function that looks up the original at call time, as the prototype of the response may change
 */
function replace(
  res: ServerResponse,
  name: (typeof OF_HEAD)[number],
  make: (find: () => Method) => Method,
): void {
  const original = res[name] as Method | undefined;
  // Older Node and other runtimes lack some of these
  if (typeof original !== 'function') return;
  const ofPrototype = (): Method => (Object.getPrototypeOf(res) as ServerResponse)[name] as Method;
  const value = make(Object.hasOwn(res, name) ? () => original : ofPrototype);
  Object.defineProperty(res, name, { value, configurable: true, writable: true });
}

/** Adds where the first response was sent to the error. The first line stays unchanged, because tools compare it. */
function explain(error: Error, watched: Watched): void {
  if (!reportsMistakes(watched.settings)) return;
  const lines = [`${watched.name()} already got its response${atStack(watched.sentBy!)}.`];
  if (watched.passedOnBy !== undefined) {
    lines.push(`After that, next() was called${atStack(watched.passedOnBy)}.`);
    warnOfNext(watched);
  }
  explainError(error, lines);
  error.stack = withoutFramework(error.stack, Error.stackTraceLimit - ABOVE);
}

/** Warns that `next` was called after the response, once that has turned out to be a mistake. */
export function warnOfNext(watched: Watched): void {
  const { passedOnBy } = watched;
  if (passedOnBy === undefined || watched.sentBy === undefined) return;
  const place = placeOf(passedOnBy);
  // Packages do this on purpose after sending their own responses, such as those for a timeout
  if (place === undefined || isInstalled(place)) return;
  const message =
    `next() was called after the response to ${watched.name()} had been sent${atStack(watched.sentBy)}. ` +
    'Later handlers can no longer respond: either call next(), or send a response and return.';
  watched.warn('RISTRETTO_NEXT_AFTER_RESPONSE', message, place);
}
