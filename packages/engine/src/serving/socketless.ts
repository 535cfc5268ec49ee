/**
 * Supports message classes without sockets, such as those of workerd, where a request reads from a separate object
 * and a response creates a `Response`. They get the methods with which Node's messages use their socket.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VirtualResponse } from './head';
import type { VirtualSocket } from './virtual-socket';

type Done = (error?: Error | null) => void;

interface SocketlessRequest extends Omit<IncomingMessage, '_destroy'> {
  _consuming: boolean;
  _readableState: { readingMore: boolean };
  _destroy(error: Error | null, done: Done): void;
}

interface SocketlessResponse extends Omit<VirtualResponse, 'socket' | 'outputSize'> {
  socket: VirtualSocket | null;
  outputSize: number;
  _writeRaw(data: string | Uint8Array, encoding: BufferEncoding | null, done?: Done): boolean;
}

/** Makes the request and response use the virtual socket, if their classes have not done so. */
export function ensureSocket(req: IncomingMessage, res: ServerResponse, virtualSocket: VirtualSocket): void {
  if ((req.socket as unknown) === virtualSocket) return;
  const socket = { value: virtualSocket, configurable: true, writable: true };
  Object.defineProperties(req, { socket, connection: socket });
  Object.assign(req, { _read: read, _destroy: destroyRequest });
  // Removes the listeners of the class, which create a `Response` from what is sent.
  res.removeAllListeners();
  Object.assign(res, {
    _writeRaw: writeRaw,
    _trailer: '',
    destroy: destroyResponse,
    statusMessage: undefined,
  });
  Object.defineProperties(res, {
    writableFinished: { get: isFinished, configurable: true },
    writableLength: { get: pendingBytes, configurable: true },
  });
}

function read(this: SocketlessRequest): void {
  if (!this._consuming) {
    this._readableState.readingMore = false;
    this._consuming = true;
  }
  if (this.socket.readable) this.socket.resume();
}

function destroyRequest(this: SocketlessRequest, error: Error | null, done: Done): void {
  const { _destroy } = Object.getPrototypeOf(this) as SocketlessRequest;
  _destroy.call(this, error, done);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- as Node's function does
  if (this.aborted) this.socket.destroy(error ?? undefined);
}

/** All bytes of a response pass through this method. */
function writeRaw(
  this: SocketlessResponse,
  data: string | Uint8Array,
  encoding: BufferEncoding | null,
  done?: Done,
): boolean {
  const { socket } = this;
  if (this.destroyed || socket === null || socket.destroyed) return false;
  return socket.write(data, encoding ?? 'utf8', done);
}

function destroyResponse(this: SocketlessResponse, error?: Error): SocketlessResponse {
  if (this.destroyed) return this;
  this.destroyed = true;
  this.socket?.destroy(error);
  return this;
}

function pendingBytes(this: SocketlessResponse): number {
  return this.outputSize + (this.socket?.writableLength ?? 0);
}

function isFinished(this: SocketlessResponse): boolean {
  return this.writableEnded && this.writableLength === 0;
}
