/** Makes late calls on a response do nothing instead of throwing, after the framework has ended it for the handler. */
import type { ServerResponse } from 'node:http';
import { nodeProcess } from '../../node-process';

/** These throw once the header block has been sent. */
const OF_HEAD = ['setHeader', 'setHeaders', 'appendHeader', 'removeHeader', 'writeHead'] as const;

type Method = (...args: unknown[]) => unknown;

/** What to call. */
interface Listeners {
  /** Called before the header block is created, with its status. */
  onHead(status: number): void;
  /** Called right after the response has been ended. */
  onEnd(): void;
  /** Called for each call that is ignored. */
  onLate(): void;
}

/**
 * Lets the first caller end a response, and ignores all later calls.
 * @returns whether it has been ended; false again if one of its hooks fails, so that another takes its place
 */
export function ignoreLateCalls(res: ServerResponse, { onHead, onEnd, onLate }: Listeners): () => boolean {
  const own = (name: keyof ServerResponse, make: (original: Method) => Method): void => {
    const original = res[name] as Method | undefined;
    // Older Node and other runtimes lack some of these.
    if (typeof original !== 'function') return;
    const value = make(original.bind(res));
    Object.defineProperty(res, name, { value, configurable: true, writable: true });
  };
  for (const name of OF_HEAD) {
    own(name, original => (...args) => {
      if (!res.headersSent) {
        if (name === 'writeHead') onHead(Number(args[0]));
        return original(...args);
      }
      onLate();
      return res;
    });
  }
  let hasEnded = false;
  // `headersSent` is true while the response waits for its hooks
  const isEnded = (): boolean => hasEnded && res.headersSent;
  keepStatus(res);
  const ignore = (args: unknown[]): void => {
    onLate();
    const callback = args.at(-1);
    if (typeof callback === 'function') nodeProcess.nextTick(callback);
  };
  own('write', original => (...args) => {
    if (isEnded()) {
      ignore(args);
      return true;
    }
    hasEnded = false;
    return original(...args);
  });
  own('end', original => (...args) => {
    if (isEnded()) {
      ignore(args);
      return res;
    }
    const result = original(...args);
    // Otherwise a hook has failed, and another response is about to follow
    hasEnded = res.headersSent;
    if (hasEnded) onEnd();
    return result;
  });
  return isEnded;
}

/** Keeps the status that was sent, so that a logger that reads it after `finish` sees it. */
function keepStatus(res: ServerResponse): void {
  let { statusCode } = res;
  Object.defineProperty(res, 'statusCode', {
    configurable: true,
    enumerable: true,
    get: () => statusCode,
    set: (status: number) => {
      if (!res.headersSent) statusCode = status;
    },
  });
}
