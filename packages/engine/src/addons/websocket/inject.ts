/**
 * `app.inject.ws`: opens a WebSocket to an application without a port, for tests. The client is that of `ws`, and the server
 * is Node's, on the two ends of a connection in memory, so that everything happens as over a network.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { hostOf, makeResponse, requestOf } from '../../serving/fetch/inject';
import { checkGlobals } from '../../serving/fetch/handle-fetch';
import type { Listener } from '../../serving/fetch/handle-fetch';
import { attachHttp1 } from '../../serving/http1/attach';
import { checkNames } from '../../report/option-checks';
import type { InjectedSocket, InjectSocketOptions } from '../../types/fetch';
import { moduleWs } from './ws';
import type { WsSocket } from './ws';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import { nodeProcess } from '../../node-process';

class End extends Duplex {
  other!: End;
  /** Called when the other end has read what was written. */
  private taken: (() => void) | undefined;

  override _read(): void {
    const { taken } = this.other;
    this.other.taken = undefined;
    taken?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    // Delivers after the call, as a network does. During it, `ws` would receive the reply to its close frame before it has
    // noted that it sent one, send a second one, and leave a timer that keeps the process alive for 30 seconds.
    nodeProcess.nextTick(() => {
      if (this.other.destroyed || this.other.push(chunk)) done();
      else this.taken = done;
    });
  }

  override _final(done: () => void): void {
    if (!this.other.destroyed) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // The other side sees a reset, unless this side has ended the connection.
    if (!this.other.destroyed) {
      if (this.writableFinished) this.other.push(null);
      else this.other.destroy();
    }
    done(error);
  }
}

/** Returns both ends of the connection: the server's, and the client's. */
function connectionInMemory(remoteAddress: string, encrypted: boolean): { ours: Duplex; theirs: Duplex } {
  const ours = new End();
  const theirs = new End();
  ours.other = theirs;
  theirs.other = ours;
  Object.assign(ours, { remoteAddress, ...(encrypted ? { encrypted } : {}) });
  return { ours, theirs };
}

const CALLER = 'app.inject.ws()';
const OPTIONS = [
  'query',
  'headers',
  'cookies',
  'remoteAddress',
  'protocols',
  'signal',
] satisfies (keyof InjectSocketOptions)[];

/** The server of each application, whose limits count its sockets. It does not listen. */
const servers = new WeakMap<object, Server>();

/**
 * Opens a WebSocket.
 * @param url a path, or an absolute URL
 * @returns a promise of the client, which rejects with a `SocketRefusal` if the application sends a response instead
 * @throws TypeError if the options are invalid
 */
export async function injectSocket(
  app: Listener,
  url: string,
  options: InjectSocketOptions = {},
): Promise<InjectedSocket> {
  checkGlobals(CALLER);
  checkNames(CALLER, options, OPTIONS);
  const given = { ...options, url };
  const { protocols = [], remoteAddress = '127.0.0.1' } = given;
  const signal = given.signal as AbortSignal | undefined;
  signal?.throwIfAborted();
  const request = requestOf(given, CALLER);
  const { protocol, host } = new URL(request.url);
  const { ours, theirs } = connectionInMemory(remoteAddress, /^(?:https|wss):$/.test(protocol));
  const { WebSocket } = moduleWs(CALLER);
  const client = new WebSocket(request.url.replace(/^[^:]*/, 'ws'), [protocols].flat(), {
    createConnection: () => theirs,
    headers: { ...Object.fromEntries(request.headers), host: hostOf(given) ?? host },
    perMessageDeflate: false,
  }) as WsSocket & InjectedSocket;
  signal?.addEventListener('abort', () => theirs.destroy());
  const opened = new Promise<InjectedSocket>((resolve, reject) => {
    client.on('upgrade', (response: IncomingMessage) => {
      client.response = makeResponse(response.statusCode!, fieldsOf(response), Buffer.alloc(0));
    });
    client.on('open', () => {
      // Deferred, so that no message arrives before the caller listens.
      client.pause();
      setImmediate(() => {
        client.resume();
      });
      resolve(client);
    });
    client.on('error', reject);
    client.on('unexpected-response', (_request: unknown, response: IncomingMessage) => {
      void bytesOf(response).then(bytes => {
        reject(refusalOf(makeResponse(response.statusCode!, fieldsOf(response), bytes)));
      }, reject);
    });
  });
  queueMessages(client);
  serverOf(app).emit('connection', ours);
  return opened;
}

function fieldsOf({ rawHeaders }: IncomingMessage): Headers {
  const fields = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) fields.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return fields;
}

function serverOf(app: Listener): Server {
  let server = servers.get(app);
  if (server === undefined) {
    servers.set(app, (server = createServer(app)));
    attachHttp1(app, server);
  }
  return server;
}

async function bytesOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  return Buffer.concat(pieces);
}

function refusalOf(response: InjectedSocket['response']): Error {
  const { status, statusText, text } = response;
  const message = `The application refused the WebSocket with ${status} ${statusText}: ${text().slice(0, 200)}`;
  return Object.assign(new Error(message), { name: 'SocketRefusal', status, response });
}

/** Adds `next`, and queues messages until it is called. */
function queueMessages(client: InjectedSocket): void {
  const arrived: (string | Buffer)[] = [];
  const waiting: { resolve(message: string | Buffer): void; reject(error: Error): void }[] = [];
  let closed: Error | undefined;
  client.on('message', (data: Buffer, isBinary: boolean) => {
    const message = isBinary ? data : data.toString();
    const first = waiting.shift();
    if (first === undefined) arrived.push(message);
    else first.resolve(message);
  });
  client.on('close', (code: number, reason: Buffer) => {
    closed = Object.assign(new Error(`The WebSocket was closed with ${code} ${reason.toString()}`.trim()), {
      code,
      reason: reason.toString(),
    });
    for (const { reject } of waiting.splice(0)) reject(closed);
  });
  client.next = () => {
    if (arrived.length > 0) return Promise.resolve(arrived.shift()!);
    if (closed !== undefined) return Promise.reject(closed);
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  };
}
