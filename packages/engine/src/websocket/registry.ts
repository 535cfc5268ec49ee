/**
 * The open sockets of each server: counted for the limits, pinged, and closed when the server is stopped.
 */
import { endWithServer } from '../http/long-lived';
import type { StopReport } from '../types/stop';
import { Heartbeat } from './heartbeat';
import { clientKey } from './client-key';
import type { ServerSocket } from './socket';

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

export class Registry {
  private readonly sockets = new Set<ServerSocket>();
  /** The sockets of each client, including those that are being opened. */
  private readonly byClient = new Map<string, number>();
  private count = 0;
  private isStopping = false;
  private unregister: (() => void) | undefined;

  constructor(private readonly server: object) {}

  /** The number of sockets, including those that are being opened. */
  get size(): number {
    return this.count;
  }

  /**
   * Counts a socket that is about to be opened.
   * @returns the key for `release`, or the limit that it would exceed
   */
  reserve(
    address: string | undefined,
    limits: { maxConnections: number; maxConnectionsPerAddress: number },
  ): { client: string | undefined } | { excess: Excess } {
    // Registered with the first socket, and notified if a stop has already begun.
    this.unregister ??= endWithServer(this.server, this.stop);
    if (this.isStopping) return { excess: 'stopping' };
    if (this.count >= limits.maxConnections) return { excess: 'all' };
    const client = clientKey(address);
    const own = client === undefined ? 0 : (this.byClient.get(client) ?? 0);
    if (own >= limits.maxConnectionsPerAddress) return { excess: 'address' };
    this.count++;
    if (client !== undefined) this.byClient.set(client, own + 1);
    return { client };
  }

  /** Releases what `reserve` has counted. */
  release(client: string | undefined): void {
    this.count--;
    if (client !== undefined) {
      const own = this.byClient.get(client)!;
      if (own > 1) this.byClient.set(client, own - 1);
      else this.byClient.delete(client);
    }
    if (this.count > 0) return;
    this.unregister?.();
    this.unregister = undefined;
    this.isStopping = false;
  }

  /** Adds an open socket. */
  add(socket: ServerSocket, interval: number): void {
    this.sockets.add(socket);
    if (interval > 0) heartbeatOf(interval).add(socket);
  }

  /** Removes a socket that has closed. */
  remove(socket: ServerSocket, interval: number): void {
    this.sockets.delete(socket);
    if (interval > 0) heartbeatOf(interval).remove(socket);
  }

  /** Closes all sockets; busy ones are closed when their work is done. */
  private readonly stop = (report: StopReport): Promise<unknown> => {
    this.isStopping = true;
    return Promise.all([...this.sockets].map(socket => stopSocket(socket, report)));
  };
}

/** Closes a socket, and counts it if its client completes the handshake. */
async function stopSocket(socket: ServerSocket, report: StopReport): Promise<void> {
  const closed = new Promise<number>(resolve => socket.once('close', resolve));
  await socket.whenIdle();
  socket.close(GOING_AWAY, 'The server is being stopped');
  if ((await closed) !== ABNORMAL) report.sockets = (report.sockets ?? 0) + 1;
}
