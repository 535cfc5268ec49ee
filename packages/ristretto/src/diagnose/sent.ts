/** Where in the program a response was sent, for the error that a second one is. */
import type { ServerResponse } from 'node:http';
import { checkConnection } from './connection';
import { explainError } from './explain';
import { reportsMistakes } from './gate';
import { captureTrace, isInstalled, placeOf } from './place';
import { noteSent } from './pending';
import { atTrace } from './watched';
import type { Watched } from './watched';

/** These throw once the headers have been sent. */
const OF_HEAD = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader', 'writeHead'] as const;

/** This file's lines in a trace. */
const OWN_FRAMES = /\n {4}at [^\n]*[\\/]diagnose[\\/]sent\.[jt]s:[^\n]*/g;

type Method = (...args: unknown[]) => unknown;

/** Notes where the response is sent. All ways to send one call `writeHead`, unless that can be seen to be Node's own. */
export function watchResponse(watched: Watched): void {
  replace(watched.res, 'writeHead', find => (...args) => {
    const wasSent = watched.res.headersSent;
    if (!wasSent) watched.sentBy = captureTrace();
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
}

/** Explains what the function throws. One more call is on the stack, which must not push the program's out of it. */
function guarded(watched: Watched, find: () => Method): Method {
  return (...args) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = stackTraceLimit + 1;
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
 * Replaces a function. Not enumerable, as the function beneath.
 * @param make takes what finds that function, once it is called: an application may yet give the response its prototype
 */
function replace(
  res: ServerResponse,
  name: (typeof OF_HEAD)[number],
  make: (find: () => Method) => Method,
): void {
  const original = res[name] as Method | undefined;
  // older Node and other runtimes lack some of them
  if (typeof original !== 'function') return;
  const ofPrototype = (): Method => (Object.getPrototypeOf(res) as ServerResponse)[name] as Method;
  const value = make(Object.hasOwn(res, name) ? () => original : ofPrototype);
  Object.defineProperty(res, name, { value, configurable: true, writable: true });
}

/** Adds to the error where the first response was sent. Its first line stays what tools compare. */
function explain(error: Error, watched: Watched): void {
  if (!reportsMistakes(watched.settings)) return;
  const lines = [`${watched.name()} already got its response${atTrace(watched.sentBy!)}.`];
  if (watched.passedOnBy !== undefined) {
    lines.push(`After that, next() was called${atTrace(watched.passedOnBy)}.`);
    warnOfNext(watched);
  }
  explainError(error, lines, OWN_FRAMES);
}

/** Warns that control was passed on after the response, when that has turned out to be a mistake. */
export function warnOfNext(watched: Watched): void {
  const { passedOnBy } = watched;
  if (passedOnBy === undefined || watched.sentBy === undefined) return;
  const place = placeOf(passedOnBy);
  // packages do so behind responses of theirs, such as those of a timeout
  if (place === undefined || isInstalled(place)) return;
  const message =
    `next() was called after the response to ${watched.name()} had been sent${atTrace(watched.sentBy)}. ` +
    'Later handlers can no longer respond: either call next(), or send a response and return.';
  watched.warn('RISTRETTO_NEXT_AFTER_RESPONSE', message, place);
}
