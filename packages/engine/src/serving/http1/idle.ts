/**
 * Closes keep-alive connections that have been idle for the time that their server allows: one timer for all connections,
 * where Node sets and clears one for each response. They close up to half a second later than with Node.
 */
import { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Milliseconds between two looks at the connections. */
const INTERVAL = 250;

/** A connection with Node's undocumented members. */
interface WatchedSocket extends Socket {
  parser: unknown;
  timeout: number | undefined;
  _httpMessage?: unknown;
}

interface Watched {
  readonly socket: WatchedSocket;
  readonly parser: { readonly onIncoming: unknown };
  readonly onIncoming: unknown;
  /** Milliseconds. */
  readonly idleTimeout: number;
}

interface Activity {
  bytesRead: number;
  idleSince: number;
}

const connections = new Map<Watched, Activity>();
/** Saved at load time, because tests may replace it with their own clock. */
const now = performance.now.bind(performance);

/** Its timer is Node's internal one, which keeps running if a test replaces the global timers. */
let clock: Socket | undefined;

/** Watches a connection until it closes or is upgraded. */
export function closeWhenIdle(connection: Watched): void {
  if (connections.size === 0) {
    clock ??= new Socket().on('timeout', closeIdle);
    clock.setTimeout(INTERVAL);
  }
  connections.set(connection, { bytesRead: -1, idleSince: 0 });
}

function closeIdle(): void {
  // First, because a listener for `timeout` may throw
  clock!.setTimeout(INTERVAL);
  const time = now();
  for (const [connection, activity] of connections) {
    const { socket, parser, onIncoming } = connection;
    // An upgraded connection has no parser, or one that Node has reused.
    const isOver = socket.destroyed || socket.parser !== parser || parser.onIncoming !== onIncoming;
    if (isOver) connections.delete(connection);
    else if (isActive(socket, activity)) activity.idleSince = time;
    else if (time - activity.idleSince >= connection.idleTimeout) {
      // Once: a listener may leave the connection open
      activity.idleSince = Infinity;
      socket.emit('timeout');
    }
  }
  if (connections.size === 0) clock!.setTimeout(0);
}

/** Whether the client has sent something since the last look, or Node has set a timer for the connection. */
function isActive(socket: WatchedSocket, activity: Activity): boolean {
  const { bytesRead, _httpMessage, timeout } = socket;
  const hasRead = bytesRead !== activity.bytesRead;
  activity.bytesRead = bytesRead;
  return hasRead || Boolean(_httpMessage) || timeout! > 0;
}
