/**
 * A response's turn on its connection.
 *
 * The runtime gives a connection a listener for each response, so that it is told when the connection is closed under
 * it, and takes the listener away with the response. The listener asks the connection whose turn it is: so the first
 * response's can stay for all that come behind.
 */
import { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { hide } from './hidden';
import { forgetIdleTimer, keepIdleTimer } from './idle-timer';
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

let beneath: () => TurnFunctions;

/** Whoever has patched one of the two is called for both: what the runtime's own adds, only its own takes away. */
const isPatched = (): boolean =>
  runtime.assignSocket !== nativeAssign || runtime.detachSocket !== nativeDetach;

function assignSocket(this: RuntimeResponse, socket: OwnedSocket): void {
  if (socket[WATCHED] === undefined || socket._httpMessage || isPatched()) {
    beneath().assignSocket.call(this, socket);
    watch(socket);
    return;
  }
  socket._httpMessage = this;
  (this as { socket: Socket }).socket = socket;
  if (this._eventsCount > 0) this.emit('socket', socket);
  this._flush();
}

/** The runtime's listener, of which it has one for all connections. */
let listener: (() => void) | undefined;

function watch(socket: OwnedSocket): void {
  if (!(socket instanceof Socket) || isPatched()) return;
  listener ??= socket.listeners('close').find(({ name }) => name === 'onServerResponseClose') as () => void;
  if (listener === undefined) return;
  socket[WATCHED] = true;
  // one listener for both: a third would take more room than all else that a connection is given here
  socket.removeListener('close', listener);
  socket.on('close', closed);
  keepIdleTimer(socket);
}

function closed(this: OwnedSocket): void {
  listener!.call(this);
  forgetIdleTimer(this);
}

function detachSocket(this: RuntimeResponse, socket: OwnedSocket): void {
  if (socket[WATCHED] === undefined || socket._httpMessage !== this || isPatched()) {
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
  beneath = hide(prototype, { assignSocket, detachSocket });
}
