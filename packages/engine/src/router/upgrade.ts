/**
 * Requests for a WebSocket, and the routes that only these enter. For all other requests, such a route has no method:
 * it neither responds to them nor appears in `Allow`.
 */
import type { Duplex } from 'node:stream';

/** The members that a kind of server provides so that a socket can be opened in place of a response. */
export interface Upgrade {
  /** The stream that carries the socket once it is open. */
  readonly stream: Duplex;
  /** The bytes after the request that have already been read. */
  readonly head: Buffer;
  /** The server, for its limits and its stop. */
  readonly server: object;
  /** The status of the response that opens the socket: 101, or 200 over HTTP/2. */
  readonly status: number;
  /** Whether the response should open the socket; otherwise, its end closes the connection. */
  isAccepted: boolean;
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

/** Turns a route into one that only WebSocket requests enter. Its handlers must have been added with `all`. */
export function restrictToSockets(route: object & { methods: Record<string, unknown> }): void {
  Reflect.deleteProperty(route.methods, '_all');
  Object.defineProperty(route, ROUTE, { value: true });
}

/** Whether only requests for a WebSocket enter the route. */
export function isForSockets(route: object): boolean {
  return ROUTE in route;
}
