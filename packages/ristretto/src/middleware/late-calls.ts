/** Ignores calls on a response that has been ended in place of its handler, instead of throwing. */
import type { ServerResponse } from 'node:http';

/** These throw once the header block has been sent. */
const OF_HEAD = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader', 'writeHead'] as const;

type Method = (...args: unknown[]) => unknown;

/**
 * Lets the first caller end a response, and ignores all later calls.
 * @param onEnd called right after the response has been ended
 * @param onLate called for each call that is ignored
 */
export function ignoreLateCalls(res: ServerResponse, onEnd: () => void, onLate: () => void): void {
  const own = (name: keyof ServerResponse, make: (original: Method) => Method): void => {
    const value = make((res[name] as Method).bind(res));
    Object.defineProperty(res, name, { value, configurable: true, writable: true });
  };
  for (const name of OF_HEAD) {
    own(name, original => (...args) => {
      if (!res.headersSent) return original(...args);
      onLate();
      return res;
    });
  }
  let isEnded = false;
  const ignore = (args: unknown[]): void => {
    onLate();
    const callback = args.at(-1);
    if (typeof callback === 'function') process.nextTick(callback);
  };
  own('write', original => (...args) => {
    if (!isEnded) return original(...args);
    ignore(args);
    return true;
  });
  own('end', original => (...args) => {
    if (isEnded) {
      ignore(args);
      return res;
    }
    const result = original(...args);
    isEnded = true;
    keepStatus(res);
    onEnd();
    return result;
  });
}

/** Freezes the status, so that a logger that reads it after `finish` sees what was sent. */
function keepStatus(res: ServerResponse): void {
  const { statusCode } = res;
  Object.defineProperty(res, 'statusCode', {
    configurable: true,
    enumerable: true,
    get: () => statusCode,
    set: () => undefined,
  });
}
