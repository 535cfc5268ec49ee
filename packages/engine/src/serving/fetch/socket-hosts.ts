/**
 * The WebSockets of hosts that serve an application through `app.fetch`: Bun, Deno and workerd. A host opens its socket
 * together with the response, so that sessions have been saved and cookies set by then.
 */
import { isError } from '../../realms';
import type { HostCarrier, HostUpgrade, SocketReceiver } from '../../router/upgrade';
import type { BunSocketHandlers } from '../../types/fetch';

const SWITCHING_PROTOCOLS = 101;
/** RFC 6455, section 7.4.1. */
const ABNORMAL = 1006;
const POLICY_VIOLATION = 1008;
/** `app.ws` limits messages and backlogs of each route by itself. */
const NO_LIMIT = 2 ** 31 - 1;

/** The upgrade of a request, which `FetchSocket` completes. */
export interface FetchUpgrade extends HostUpgrade {
  /**
   * Opens the socket.
   * @param headers those of the response
   * @throws Error if the host refuses
   */
  open(headers: Headers): Response;
}

/** A server of Bun. */
interface BunServer {
  upgrade(request: unknown, options: { headers: Headers; data: SocketReceiver }): boolean;
}

interface BunSocket {
  readonly data: SocketReceiver;
  send(data: string | Uint8Array): number;
  close(code?: number, reason?: string): void;
  terminate(): void;
  ping(data: Uint8Array): number;
  pong(data: Uint8Array): number;
  getBufferedAmount(): number;
}

/** The socket of Deno and workerd. */
interface WebSocketLike {
  binaryType: string;
  readonly bufferedAmount?: number;
  send(data: string | Uint8Array): void;
  close(code?: number, reason?: string): void;
  /** Only in workerd. */
  accept?(): void;
  addEventListener(type: string, listener: (event: SocketEvent) => void): void;
}

interface SocketEvent {
  data: string | ArrayBuffer;
  code: number;
  reason: string;
  message?: string;
  error?: unknown;
}

interface Hosts {
  Deno?: {
    upgradeWebSocket?(
      request: unknown,
      options: { idleTimeout: number },
    ): { socket: WebSocketLike; response: Response };
  };
  WebSocketPair?: new () => [client: WebSocketLike, server: WebSocketLike];
}

const hosts = globalThis as Hosts;

/** Deno and workerd do not say which of their servers has received a request. */
const ONLY_SERVER = {};

let largestPayload = 0;

/** Lets Bun, whose limit applies to a whole server, receive messages of this size. */
export function allowPayload(bytes: number): void {
  largestPayload = Math.min(NO_LIMIT, Math.max(largestPayload, bytes));
}

/** Whether this process runs on a host that needs no package for WebSockets. */
export function hasOwnSockets(): boolean {
  return (
    process.versions.bun !== undefined ||
    hosts.Deno?.upgradeWebSocket !== undefined ||
    hosts.WebSocketPair !== undefined
  );
}

/** Returns the key under which the sockets of a server of a host are registered. */
export function socketServerOf(server: object): object {
  return isBunServer(server) ? server : ONLY_SERVER;
}

/**
 * Returns what opens a socket for a request; undefined if it asks for none, or the host has none.
 * @param info the second argument of `app.fetch`
 */
export function upgradeOfHost(request: unknown, info: unknown): FetchUpgrade | undefined {
  // `app.inject` passes other objects.
  if (!(request instanceof Request) || !asksForSocket(request)) return undefined;
  const server = bunServerOf(info);
  if (server !== undefined) return bunUpgrade(request, server);
  if (hosts.Deno?.upgradeWebSocket !== undefined) return denoUpgrade(request);
  return hosts.WebSocketPair === undefined ? undefined : workerdUpgrade();
}

function asksForSocket({ method, headers }: Request): boolean {
  return method === 'GET' && headers.get('upgrade')?.toLowerCase() === 'websocket';
}

/** Bun passes its server as the second argument; a program that passes other information may include it. */
function bunServerOf(info: unknown): BunServer | undefined {
  const given = Object(info) as { server?: unknown };
  return [given, Object(given.server) as object].find(isBunServer);
}

/** Whether it is a server of Bun. */
export function isBunServer(server: object): server is BunServer {
  const { upgrade, requestIP } = server as { upgrade?: unknown; requestIP?: unknown };
  return typeof upgrade === 'function' && typeof requestIP === 'function';
}

function upgradeWith(
  server: object,
  more: Pick<FetchUpgrade, 'open'> & Partial<FetchUpgrade> & ThisType<FetchUpgrade>,
): FetchUpgrade {
  return {
    server,
    status: SWITCHING_PROTOCOLS,
    isAccepted: false,
    canPing: false,
    heartbeat: 0,
    receiver: undefined,
    ...more,
  };
}

function bunUpgrade(request: Request, server: BunServer): FetchUpgrade {
  return upgradeWith(server, {
    canPing: true,
    open(headers) {
      if (!server.upgrade(request, { headers, data: this.receiver! })) {
        throw new Error('app.ws: Bun has refused to open the WebSocket');
      }
      // Bun has sent the response, and ignores this one. `Response` does not accept the status everywhere.
      return Object.defineProperty(new Response(null), 'status', { value: SWITCHING_PROTOCOLS });
    },
  });
}

/** `app.fetch.websocket`: the handlers for `Bun.serve`. */
export const bunHandlers: BunSocketHandlers = {
  open(socket: BunSocket) {
    socket.data.opened(carrierOfBun(socket));
  },
  message({ data }: BunSocket, message: string | Uint8Array) {
    data.received(message);
  },
  close({ data }: BunSocket, code: number, reason: string) {
    data.closed(code, reason);
  },
  ping({ data }: BunSocket, payload: Uint8Array) {
    data.heard('ping', payload);
  },
  pong({ data }: BunSocket, payload: Uint8Array) {
    data.heard('pong', payload);
  },
  get maxPayloadLength() {
    return largestPayload;
  },
  backpressureLimit: NO_LIMIT,
  closeOnBackpressureLimit: false,
  // The heartbeats of the routes replace these.
  idleTimeout: 0,
  sendPings: false,
};

function carrierOfBun(socket: BunSocket): HostCarrier {
  return {
    get bufferedAmount() {
      return socket.getBufferedAmount();
    },
    send: data => void socket.send(data),
    close: (code, reason) => {
      socket.close(code, reason);
    },
    terminate: () => {
      socket.terminate();
    },
    ping: data => void socket.ping(data),
    pong: data => void socket.pong(data),
  };
}

function denoUpgrade(request: Request): FetchUpgrade {
  return upgradeWith(ONLY_SERVER, {
    open(headers) {
      const receiver = this.receiver!;
      const idleTimeout = Math.ceil(this.heartbeat / 1000);
      // Without Deno's option `protocol`, which does not find names in a list without spaces.
      const { socket, response } = hosts.Deno!.upgradeWebSocket!(request, { idleTimeout });
      for (const [name, value] of headers) response.headers.append(name, value);
      const carrier = connect(socket, receiver);
      socket.addEventListener('open', () => {
        receiver.opened(carrier);
      });
      return response;
    },
  });
}

function workerdUpgrade(): FetchUpgrade {
  return upgradeWith(ONLY_SERVER, {
    // `ServerResponse` does not accept 101 there.
    status: 200,
    open(headers) {
      const receiver = this.receiver!;
      const { 0: client, 1: server } = new hosts.WebSocketPair!();
      server.accept!();
      receiver.opened(connect(server, receiver));
      const init = { status: SWITCHING_PROTOCOLS, headers, webSocket: client };
      return new Response(null, init);
    },
  });
}

/** Passes on the events of a socket of Deno or workerd. */
function connect(socket: WebSocketLike, receiver: SocketReceiver): HostCarrier {
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }) => {
    receiver.received(data);
  });
  socket.addEventListener('error', ({ error, message }) => {
    receiver.failed(isError(error) ? error : new Error(message ?? 'The WebSocket has failed'));
  });
  socket.addEventListener('close', ({ code, reason }) => {
    // Deno reports 0 for a connection that has failed.
    receiver.closed(code || ABNORMAL, reason);
  });
  return {
    get bufferedAmount() {
      return socket.bufferedAmount ?? 0;
    },
    send: data => {
      socket.send(data);
    },
    close: (code, reason) => {
      if (code === undefined) socket.close();
      else socket.close(code, reason);
    },
    terminate: () => {
      socket.close(POLICY_VIOLATION);
    },
  };
}
