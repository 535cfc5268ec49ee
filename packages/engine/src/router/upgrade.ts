/**
 * WebSocket requests, and the routes that only they enter. For all other requests, such a route has no method:
 * it neither responds to them nor appears in `Allow`.
 */
import type { Duplex } from 'node:stream';

/** The members that every kind of server provides so that a socket can be opened in place of a response. */
interface AnyUpgrade {
  /** The server, for its limits and its stop. */
  readonly server: object;
  /** The status of the response that opens the socket: 101, or 200 over HTTP/2. */
  readonly status: number;
  /** Whether the response should open the socket; otherwise, its end closes the connection. */
  isAccepted: boolean;
}

/** An upgrade on a stream, on which the package `ws` handles the protocol. */
export interface StreamUpgrade extends AnyUpgrade {
  /** The stream that carries the socket once it is open. */
  readonly stream: Duplex;
  /** The bytes after the request that have already been read. */
  readonly head: Buffer;
}

/** An upgrade by a host of `app.fetch`, which handles the protocol itself. */
export interface HostUpgrade extends AnyUpgrade {
  /** Whether sockets of the host have `ping`. Hosts without it ping by themselves. */
  readonly canPing: boolean;
  /** The milliseconds between two pings, for a host that pings by itself; 0 for none. */
  heartbeat: number;
  /** Receives what happens on the host's socket. */
  receiver: SocketReceiver | undefined;
}

export type Upgrade = StreamUpgrade | HostUpgrade;

/** The socket of a host, in the form that all hosts have in common. */
export interface HostCarrier {
  /** The bytes waiting to be sent; 0 if the host does not know. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  close(code: number | undefined, reason: string | undefined): void;
  /** Destroys the connection, or begins the closing handshake if the host can't destroy it. */
  terminate(): void;
  ping?(data: Uint8Array): void;
  pong?(data: Uint8Array): void;
}

/** What happens on the socket of a host. */
export interface SocketReceiver {
  opened(carrier: HostCarrier): void;
  received(data: string | ArrayBuffer | Uint8Array): void;
  /** Called with a ping or pong of the peer. */
  heard(kind: 'ping' | 'pong', data: Uint8Array): void;
  failed(error: Error): void;
  /** Also called if the socket has not been opened. Calls after the first have no effect. */
  closed(code: number, reason: string): void;
}

const ROUTE: unique symbol = Symbol('for WebSockets');

const upgrades = new WeakMap<object, Upgrade>();

/** Marks a request as one for a WebSocket. */
export function noteUpgrade(req: object, upgrade: Upgrade): void {
  upgrades.set(req, upgrade);
}

/** Returns the object that opens a socket for the request; undefined if it does not ask for one. */
export function upgradeOf(req: object): Upgrade | undefined {
  return upgrades.get(req);
}

/** Forgets what opens the socket, once it is open: the bytes of `head` have a buffer of their own. */
export function forgetUpgrade(req: object): void {
  upgrades.delete(req);
}

/** Whether a response with this status opens the socket. One that was sent in place of the handshake, such as that of an error, does not. */
export function opensSocket(upgrade: Upgrade | undefined, status: number): boolean {
  if (upgrade?.isAccepted !== true) return false;
  if (status !== upgrade.status) withdraw(upgrade);
  return upgrade.isAccepted;
}

/** RFC 6455, section 7.4.1: the connection was closed without a closing handshake. */
const ABNORMAL = 1006;

/** Lets the end of the response close the connection: another response takes the place of the handshake. */
export function withdraw(upgrade: Upgrade): void {
  upgrade.isAccepted = false;
  if ('receiver' in upgrade) upgrade.receiver?.closed(ABNORMAL, '');
}

/** Turns a route into one that only WebSocket requests enter. Its handlers must have been added with `all`. */
export function restrictToSockets(route: object & { methods: Record<string, unknown> }): void {
  Reflect.deleteProperty(route.methods, '_all');
  Object.defineProperty(route, ROUTE, { value: true });
}

/** Whether only requests for a WebSocket enter the route. */
export function isForSockets(route: object): boolean {
  return ROUTE in route;
}
