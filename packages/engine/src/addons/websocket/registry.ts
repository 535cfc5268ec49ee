/**
 * The open sockets of each server: counted for the limits, pinged, and closed when the server is stopped.
 */
import { endWithServer } from '../../serving/long-lived';
import { parseAddress } from '../../protocol/addresses';
import { noteOpen } from '../../serving/process-state';
import type { StopReport } from '../../types/stop';
import type { Client, ServerSocket } from './socket';

/**
 * The number of groups in which sockets with the same interval are pinged, so that pinging thousands does not delay
 * requests.
 */
const GROUPS = 20;

/** Sockets with the same interval. Its timer runs only while there are any. */
class Heartbeat {
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

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const ABNORMAL = 1006;

/** Why a socket can't be opened. */
export type Excess = 'all' | 'address' | 'stopping';

const registries = new WeakMap<object, Registry>();

/** Returns the sockets of a server. */
export function registryOf(server: object): Registry {
  let registry = registries.get(server);
  if (registry === undefined) registries.set(server, (registry = new Registry(server)));
  return registry;
}

/** Heartbeats by their interval, shared by all servers. */
const heartbeats = new Map<number, Heartbeat>();

function heartbeatOf(interval: number): Heartbeat {
  let heartbeat = heartbeats.get(interval);
  if (heartbeat === undefined) heartbeats.set(interval, (heartbeat = new Heartbeat(interval)));
  return heartbeat;
}

class Registry {
  private readonly sockets = new Set<ServerSocket>();
  private readonly clients = new Map<string, Client>();
  private count = 0;
  private unregister: (() => void) | undefined;
  /** The report of the stop in progress, and the function that ends it. */
  private stopping: { report: StopReport; end: () => void } | undefined;

  constructor(private readonly server: object) {}

  /** The number of sockets, including those that are being opened. */
  get size(): number {
    return this.count;
  }

  /**
   * Counts a socket that is about to be opened.
   * @returns the client that it counts for, to be passed to `release`, or the limit that it would exceed
   */
  reserve(
    address: string | undefined,
    limits: { maxConnections: number; maxConnectionsPerAddress: number },
  ): { client: Client } | { excess: Excess } {
    // Registered with the first socket, and notified if a stop has already begun.
    this.unregister ??= endWithServer(this.server, this.stop);
    if (this.stopping !== undefined) {
      this.endWhenEmpty();
      return { excess: 'stopping' };
    }
    if (this.count >= limits.maxConnections) return { excess: 'all' };
    const key = clientKey(address);
    const client = this.clients.get(key ?? '') ?? { key, count: 0 };
    if (key !== undefined) {
      if (client.count >= limits.maxConnectionsPerAddress) return { excess: 'address' };
      this.clients.set(key, client);
    }
    this.count++;
    client.count++;
    return { client };
  }

  /** Releases what `reserve` has counted. */
  release(client: Client): void {
    this.count--;
    client.count--;
    if (client.count === 0 && client.key !== undefined) this.clients.delete(client.key);
    this.endWhenEmpty();
  }

  private endWhenEmpty(): void {
    if (this.count > 0) return;
    this.unregister?.();
    this.unregister = undefined;
    this.stopping?.end();
    this.stopping = undefined;
  }

  /** Adds an open socket, whose opening may have begun before a stop. */
  add(socket: ServerSocket): void {
    this.sockets.add(socket);
    noteOpen('websockets', 1);
    if (socket.interval > 0) heartbeatOf(socket.interval).add(socket);
    if (this.stopping !== undefined) stopSocket(socket, this.stopping.report);
  }

  /** Removes a socket that has closed, and releases its place. @returns whether it was open before */
  remove(socket: ServerSocket): boolean {
    this.release(socket.client!);
    if (!this.sockets.delete(socket)) return false;
    noteOpen('websockets', -1);
    if (socket.interval > 0) heartbeatOf(socket.interval).remove(socket);
    return true;
  }

  /** Closes all sockets, and those that are being opened. @returns a promise that is fulfilled when there are none */
  private readonly stop = (report: StopReport): Promise<void> =>
    new Promise(resolve => {
      this.stopping = { report, end: resolve };
      for (const socket of this.sockets) stopSocket(socket, report);
    });
}

/** Closes a socket when its work is done, and counts it if its client completes the handshake. */
function stopSocket(socket: ServerSocket, report: StopReport): void {
  socket.once('close', (code: number) => {
    if (code !== ABNORMAL) report.sockets = (report.sockets ?? 0) + 1;
  });
  void socket.whenIdle().then(() => {
    socket.close(GOING_AWAY, 'The server is being stopped');
  });
}

/**
 * Returns a key from the bits of an address, whatever its spelling: all of IPv4, and the first 64 of IPv6, of which a
 * client usually has all addresses.
 * @returns undefined if it is not an address, as on a UNIX socket
 */
function clientKey(address: string | undefined): string | undefined {
  const words = address === undefined ? undefined : parseAddress(address);
  return words?.slice(0, 2).join();
}
