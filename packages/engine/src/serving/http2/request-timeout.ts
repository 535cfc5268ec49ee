/**
 * Ends requests whose content does not arrive in time, which Node does over HTTP/1.1 only. There a client that sends a byte
 * now and then would keep a stream forever.
 */
import { performance } from 'node:perf_hooks';
import type { StreamSocket } from './stream-socket';

/** Milliseconds unless the server has a `requestTimeout`: Node's default for HTTP/1.1. */
const DEFAULT = 300_000;

/** A server's requests that have content, oldest first, each with its start time. */
interface Uploads {
  readonly began: Map<StreamSocket, number>;
  /** The timer runs while there are such requests. */
  timer: NodeJS.Timeout | undefined;
}

const uploads = new WeakMap<object, Uploads>();

/** Limits the time of a request to `server.requestTimeout`, in milliseconds; 0 is no limit. */
export function limitTime(server: object, socket: StreamSocket): void {
  const { stream } = socket;
  if (stream.endAfterHeaders) return;
  let open = uploads.get(server);
  if (open === undefined) uploads.set(server, (open = { began: new Map(), timer: undefined }));
  const { began } = open;
  began.set(socket, performance.now());
  stream.once('close', () => began.delete(socket));
  if (open.timer === undefined) endLate(server, open);
}

/** Ends the requests that are late, and sets the timer for the next one. */
function endLate(server: object, open: Uploads): void {
  const { requestTimeout = DEFAULT } = server as { requestTimeout?: number };
  open.timer = undefined;
  if (!(requestTimeout > 0)) {
    open.began.clear();
    return;
  }
  for (const [socket, time] of open.began) {
    const rest = time + requestTimeout - performance.now();
    if (rest > 0) {
      open.timer = setTimeout(endLate, Math.ceil(rest), server, open).unref();
      return;
    }
    open.began.delete(socket);
    socket.requestTimedOut();
  }
}
