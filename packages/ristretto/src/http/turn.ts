/**
 * A response's turn on its connection.
 *
 * The runtime gives a connection a listener for each response, so that it is told when the connection is closed under
 * it, and takes the listener away with the response. The listener asks the connection whose turn it is: so the first
 * response's can stay for all that come behind.
 */
import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { keepIdleTimer } from './idle-timer';
import { areNative } from './native';

/** On a connection that has the runtime's listener, to keep. */
const WATCHED = Symbol('close is listened to');

interface OwnedSocket extends Socket {
  _httpMessage?: unknown;
  [WATCHED]?: true;
}

interface RuntimeResponse extends ServerResponse {
  _eventsCount: number;
  _flush(): void;
}

interface TurnFunctions {
  assignSocket(socket: Socket): void;
  detachSocket(socket: Socket): void;
}

const runtime = ServerResponse.prototype as TurnFunctions;
const { assignSocket: nativeAssign, detachSocket: nativeDetach } = runtime;

const canKeepListener =
  areNative(
    { assignSocket: nativeAssign, detachSocket: nativeDetach },
    { assignSocket: 'onServerResponseClose', detachSocket: 'onServerResponseClose' },
  ) && typeof (ServerResponse.prototype as unknown as RuntimeResponse)._flush === 'function';

/** The prototype that has these functions. */
let owner: object;

/** Whatever is underneath: not always the runtime's, since applications put the responses of HTTP/2 there. */
const beneath = (): TurnFunctions => Object.getPrototypeOf(owner) as TurnFunctions;

function assignSocket(this: RuntimeResponse, socket: OwnedSocket): void {
  if (socket[WATCHED] === undefined || socket._httpMessage || runtime.assignSocket !== nativeAssign) {
    beneath().assignSocket.call(this, socket);
    watch(socket);
    return;
  }
  socket._httpMessage = this;
  (this as { socket: Socket }).socket = socket;
  if (this._eventsCount > 0) this.emit('socket', socket);
  this._flush();
}

function watch(socket: OwnedSocket): void {
  if (!(socket instanceof Socket) || runtime.assignSocket !== nativeAssign) return;
  socket[WATCHED] = true;
  keepIdleTimer(socket);
}

function detachSocket(this: RuntimeResponse, socket: OwnedSocket): void {
  if (
    socket[WATCHED] === undefined ||
    socket._httpMessage !== this ||
    runtime.detachSocket !== nativeDetach
  ) {
    beneath().detachSocket.call(this, socket);
    return;
  }
  socket._httpMessage = null;
  (this as { socket: Socket | null }).socket = null;
}

/**
 * Gives responses the short way to their turn.
 * @param prototype one that inherits from the runtime's
 */
export function takeTurns(prototype: object): void {
  if (!canKeepListener) return;
  owner = prototype;
  const hidden = { configurable: true, writable: true };
  Object.defineProperty(prototype, 'assignSocket', { ...hidden, value: assignSocket });
  Object.defineProperty(prototype, 'detachSocket', { ...hidden, value: detachSocket });
}
