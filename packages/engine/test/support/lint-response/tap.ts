/**
 * Records what an HTTP server writes to its sockets, and checks each response against the rules. It listens below
 * everything that a framework can see or call: a socket's `_write` and `_writev` get the bytes that go to the
 * operating system. The methods of responses are not changed, because code under test checks whether they have been
 * patched. The origin of a response is determined when it is sent, because only then has the application given it its
 * prototype.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Exchange, Head, RequestSeen } from './exchange.js';
import { MessageStream } from './message-stream.js';
import type { Listener, Message } from './message-stream.js';
import { checked, violated } from './report.js';
import type { Origin } from './report.js';
import { rules, streamRules } from './rules.js';
import type { Rule } from './rules.js';

interface RequestStart {
  request: IncomingMessage;
  response: ServerResponse;
  socket: Socket;
  server: Server;
}

interface Pending {
  request: RequestSeen;
  response: ServerResponse;
}

/** A symbol of the framework's own prototypes. */
const OURS = 'constructor of messages';

/** Determines the origin of a response from its prototypes. */
export function originOf(response: object): Origin {
  for (
    let link: object | null = response;
    link !== null;
    link = Object.getPrototypeOf(link) as object | null
  ) {
    if (Object.getOwnPropertySymbols(link).some(({ description }) => description === OURS)) return 'ours';
  }
  return 'jsonp' in response || 'sendfile' in response ? 'oracle' : 'bare';
}

/** The last response to GET for each target, by server. */
const answersToGet = new WeakMap<Server, Map<string, Exchange>>();
const connections = new WeakMap<Socket, Connection>();
const openConnections = new Set<Connection>();

/** Called with each request before any other code sees it. */
export function requestStarted({ request, response, socket, server }: RequestStart): void {
  let connection = connections.get(socket);
  if (!connection) {
    connection = new Connection(socket, server);
    connections.set(socket, connection);
    openConnections.add(connection);
    readAlong(socket, connection);
  }
  connection.queue.push({
    request: {
      method: request.method ?? '',
      target: request.url ?? '',
      version: request.httpVersion,
      headers: { ...request.headers },
    },
    response,
  });
}

type Written = string | Buffer;

function readAlong(socket: Socket, connection: Connection): void {
  const feed = (chunk: Written, encoding: BufferEncoding): void => {
    connection.feed(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
  };
  const { _write, _writev } = socket;
  define(
    socket,
    '_write',
    function (this: Socket, chunk: Written, encoding: BufferEncoding, done: () => void) {
      feed(chunk, encoding);
      _write.call(this, chunk, encoding, done);
    },
  );
  if (_writev) {
    define(
      socket,
      '_writev',
      function (this: Socket, chunks: { chunk: Written; encoding: BufferEncoding }[], done: () => void) {
        for (const { chunk, encoding } of chunks) feed(chunk, encoding);
        _writev.call(this, chunks, done);
      },
    );
  }
  socket.once('close', () => {
    connection.end(socket.writableFinished);
    openConnections.delete(connection);
  });
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: false });
}

/** One connection of a server: the requests that wait for their response, and the bytes written so far. */
class Connection implements Listener {
  readonly queue: Pending[] = [];
  private readonly stream = new MessageStream(this);
  /** The exchange completed last, to check for bytes that wrongly follow it. */
  private last: Exchange | undefined;
  private lastOrigin: Origin = 'bare';

  constructor(
    private readonly socket: Socket,
    private readonly server: Server,
  ) {}

  feed(bytes: Buffer): void {
    this.checkShort(true);
    this.stream.feed(bytes);
  }

  /** @param whole whether everything that the server has written was sent */
  end(whole: boolean): void {
    this.checkShort(whole);
    this.stream.end();
  }

  /** A body that is shorter than declared, although the server considers the response sent. */
  private checkShort(whole: boolean): void {
    const { open } = this.stream;
    const [pending] = this.queue;
    if (!open || !pending || open.framing === 'close') return;
    if (!whole || this.socket.errored || !pending.response.writableFinished) return;
    const of =
      open.framing === 'length' ? ` of ${open.head.get('content-length') ?? ''}` : ', and no last chunk';
    this.violate(
      streamRules.short,
      this.exchange(pending.request, open),
      `${open.length} bytes${of}`,
      originOf(pending.response),
    );
    this.queue.shift();
    this.stream.abandon();
  }

  onHead(head: Head): boolean {
    const [pending] = this.queue;
    const isInterim = head.status >= 100 && head.status < 200;
    // A response without a request has no header block: Node rejects the connection, or other code writes to the
    // socket.
    if (!pending || (!isInterim && !pending.response.headersSent) || head.status === 101) {
      checked('runtime');
      this.stream.ignore();
      return false;
    }
    if (this.last?.head.list('connection').includes('close')) {
      this.violate(streamRules.afterClose, this.last, head.statusLine, this.lastOrigin);
    }
    const { method } = pending.request;
    return !(
      isInterim ||
      head.status === 204 ||
      head.status === 304 ||
      method === 'HEAD' ||
      (method === 'CONNECT' && head.status < 300)
    );
  }

  onMessage(message: Message): void {
    const [pending] = this.queue;
    if (!pending) return;
    const { status } = message.head;
    // An interim response is followed by the final one; a handler can also send its status as the final one
    if (status >= 200 || pending.response.headersSent) this.queue.shift();
    const exchange = this.exchange(pending.request, message);
    const origin = originOf(pending.response);
    this.last = exchange;
    this.lastOrigin = origin;
    checked(origin);
    for (const rule of rules) {
      const wrong = rule.check(exchange);
      if (wrong !== undefined) this.violate(rule, exchange, wrong, origin);
    }
    this.remember(exchange);
  }

  onBroken(wrong: string, message: Message | undefined): void {
    const [pending] = this.queue;
    if (message && pending) {
      this.violate(
        streamRules.framing,
        this.exchange(pending.request, message),
        wrong,
        originOf(pending.response),
      );
    } else if (this.last) {
      this.violate(streamRules.framing, this.last, wrong, this.lastOrigin);
    }
  }

  private exchange(request: RequestSeen, { head, framing, length, trailers }: Message): Exchange {
    return {
      request,
      head,
      framing,
      length,
      trailers,
      get: answersToGet.get(this.server)?.get(request.target),
    };
  }

  private remember(exchange: Exchange): void {
    if (exchange.request.method !== 'GET' || exchange.head.status === 304 || exchange.head.status === 206)
      return;
    const targets = answersToGet.get(this.server) ?? new Map<string, Exchange>();
    answersToGet.set(this.server, targets);
    targets.set(exchange.request.target, { ...exchange, get: undefined });
  }

  private violate(rule: Rule, exchange: Exchange, wrong: string, origin: Origin): void {
    violated({ rule, exchange, wrong, origin });
  }
}

process.on('exit', () => {
  for (const connection of openConnections) connection.end(true);
});
