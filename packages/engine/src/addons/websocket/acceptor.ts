/** Accepts requests, through `ws` or a host: these negotiate the subprotocol and compression, and handle the protocol. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpError } from '../../protocol/errors';
import type { HostUpgrade, StreamUpgrade } from '../../router/upgrade';
import { HostSocket } from './host-socket';
import type { ResolvedOptions } from './socket-options';
import { socketClass } from './socket';
import type { ServerSocket } from './socket';
import type { Ws, WsServer, WsSocketClass } from './ws';

/** Used for requests over HTTP/2, which have no key. */
const ANY_KEY = 'AAAAAAAAAAAAAAAAAAAAAA==';
/** The headers of HTTP/1.1 that HTTP/2 does not have. */
const OF_HTTP1 = /^(?:connection|upgrade|sec-websocket-accept)$/i;

type Header = [name: string, value: string];
/** Undefined if the client has disconnected meanwhile. */
export type Accepted = { socket: ServerSocket; headers: Header[] } | { refusal: Error } | undefined;

/** The sockets of one route on hosts that have their own. */
export class HostAcceptor {
  private readonly Socket: ReturnType<typeof socketClass>;
  private readonly SelfPinging: ReturnType<typeof socketClass>;

  constructor(private readonly settings: ResolvedOptions) {
    const Base = HostSocket as WsSocketClass;
    this.Socket = socketClass(Base, settings);
    this.SelfPinging = socketClass(Base, { ...settings, heartbeat: 0 });
  }

  /** Creates a socket that waits for the host's own, which opens with the response. */
  accept(req: IncomingMessage, upgrade: HostUpgrade): Accepted {
    const { settings } = this;
    const offered = (req.headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim());
    const protocol = settings.protocols.find(name => offered.includes(name)) ?? '';
    const Socket = upgrade.canPing ? this.Socket : this.SelfPinging;
    const socket = new Socket(settings, protocol);
    upgrade.heartbeat = settings.heartbeat;
    upgrade.receiver = socket as unknown as HostSocket;
    return { socket, headers: protocol === '' ? [] : [['Sec-WebSocket-Protocol', protocol]] };
  }
}

/** The sockets of one route on streams. */
export class StreamAcceptor {
  private readonly server: WsServer;
  private problem: Error | undefined;

  constructor(ws: Ws, settings: ResolvedOptions) {
    const { compression, maxPayload, protocols } = settings;
    this.server = new ws.WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload,
      perMessageDeflate: compression,
      WebSocket: socketClass(ws.WebSocket, settings),
      // Without it, `ws` uses whatever the client offers first.
      handleProtocols: (offered: Set<string>) => protocols.find(name => offered.has(name)) ?? false,
    });
    this.server.on('wsClientError', (error: Error) => {
      this.problem = error;
    });
  }

  /** Creates a socket on the stream, and the headers of the response that opens it. */
  accept(req: IncomingMessage, { stream, head, status }: StreamUpgrade): Accepted {
    const isHttp1 = status === 101;
    const headers = isHttp1
      ? req.headers
      : { ...req.headers, upgrade: 'websocket', 'sec-websocket-key': ANY_KEY };
    let socket: ServerSocket | undefined;
    // `ws` would write the handshake itself. It must go through the application's response, which may have to wait for
    // a store.
    const written = capture(stream, () => {
      // Middleware may have changed the method of the request.
      this.server.handleUpgrade({ method: 'GET', headers }, stream, head, made => {
        socket = made as ServerSocket;
      });
    });
    if (socket === undefined) {
      const { problem } = this;
      this.problem = undefined;
      if (problem === undefined) return undefined;
      return { refusal: httpError(400, problem.message, { expose: true, stack: undefined }) };
    }
    const lines = written.trimEnd().split('\r\n').slice(1).map(parseHeader);
    return { socket, headers: isHttp1 ? lines : lines.filter(([name]) => !OF_HTTP1.test(name)) };
  }
}

/**
 * Captures a function's writes to a stream. The stream keeps its own `write` property:
 * deleting it would turn the stream into a slow object of twice the size.
 */
function capture(stream: Duplex, run: () => void): string {
  let text = '';
  const { write } = stream;
  stream.write = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  try {
    run();
  } finally {
    stream.write = write;
  }
  return text;
}

function parseHeader(line: string): Header {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}
