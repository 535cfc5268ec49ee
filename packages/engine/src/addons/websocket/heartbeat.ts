/** Pings idle sockets, and ends those whose peers have vanished without closing the connection. */
import type { ServerSocket } from './socket';

/**
 * The number of groups in which the sockets of an interval are pinged, so that thousands of them do not delay
 * requests.
 */
const GROUPS = 20;

/** Sockets with the same interval. Its timer runs only while there are any. */
export class Heartbeat {
  private readonly groups = Array.from({ length: GROUPS }, () => new Set<ServerSocket>());
  private next = 0;
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly interval: number) {}

  add(socket: ServerSocket): void {
    // The pings are spread evenly, because all sockets may have been opened at once, after a restart.
    socket.group = this.count++ % GROUPS;
    this.groups[socket.group]!.add(socket);
    this.timer ??= setInterval(this.beat, Math.max(1, this.interval / GROUPS)).unref();
  }

  remove(socket: ServerSocket): void {
    if (!this.groups[socket.group]!.delete(socket)) return;
    if (this.groups.some(({ size }) => size > 0)) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.count = 0;
  }

  private readonly beat = (): void => {
    const group = this.groups[this.next]!;
    this.next = (this.next + 1) % GROUPS;
    for (const socket of group) {
      if (socket.hasShownLife()) socket.ping();
      else socket.terminate();
    }
  };
}
