/**
 * The timer that closes a connection that has been idle for too long.
 *
 * Node clears it when a request begins and sets it again when the response is sent. Here it is put aside and put back:
 * while aside, it keeps running without effect.
 *
 * Relies on the symbol under which a connection stores its timer; `turn.ts` has the savings of both.
 */
import { Socket } from 'node:net';

/** The property of a connection that holds a timer put aside. */
const ASIDE = Symbol('idle timer, put aside');
/** The time in milliseconds to which a timer was last set here; a time set elsewhere counts as unknown. */
const PERIOD = Symbol('time of the idle timer');

interface TimedSocket extends Omit<Socket, 'timeout'> {
  timeout?: number;
  _onTimeout(): void;
  [ASIDE]?: NodeJS.Timeout | undefined;
  [PERIOD]?: number;
}

type Timers = Record<symbol, NodeJS.Timeout | null>;

const runtime = Socket.prototype as unknown as TimedSocket;

/** The symbol under which Node stores a connection's timer; undefined until looked up, or if not found. */
let TIMER: symbol | undefined;

/**
 * Makes a connection keep its timer from one request to the next.
 * @param socket a connection to which the first response is being assigned
 */
export function keepIdleTimer(socket: Socket): void {
  TIMER ??= timerSymbol(socket);
  if (TIMER === undefined || typeof runtime._onTimeout !== 'function' || Object.hasOwn(socket, 'setTimeout'))
    return;
  socket.setTimeout = setTimeout;
  (socket as unknown as TimedSocket)._onTimeout = onTimeout;
}

/** Finds the undocumented symbol of the timer, which every connection has from its creation. */
function timerSymbol(socket: Socket): symbol | undefined {
  return Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'timeout');
}

/** Mirrors `socket.setTimeout`. */
function setTimeout(this: TimedSocket, time: number, callback?: () => void): TimedSocket {
  if (callback === undefined && !this.destroyed && (putAside(this, time) || putBack(this, time))) return this;
  forgetIdleTimer(this);
  runtime.setTimeout.call(this, time, callback);
  this[PERIOD] = time;
  return this;
}

function putAside(socket: TimedSocket, time: number): boolean {
  const timer = timerOf(socket);
  if (time !== 0 || !timer || !socket.timeout || socket.timeout !== socket[PERIOD]) return false;
  socket[ASIDE] = timer;
  setTimer(socket, null);
  socket.timeout = 0;
  return true;
}

function putBack(socket: TimedSocket, time: number): boolean {
  const timer = socket[ASIDE];
  if (timer === undefined || time !== socket[PERIOD] || timerOf(socket) !== null) return false;
  socket[ASIDE] = undefined;
  setTimer(socket, timer);
  socket.timeout = time;
  timer.refresh();
  return true;
}

function timerOf(socket: TimedSocket): NodeJS.Timeout | null | undefined {
  return (socket as unknown as Timers)[TIMER!];
}

function setTimer(socket: TimedSocket, timer: NodeJS.Timeout | null): void {
  (socket as unknown as Timers)[TIMER!] = timer;
}

function onTimeout(this: TimedSocket): void {
  if (this[ASIDE] !== undefined && timerOf(this) === null) return;
  runtime._onTimeout.call(this);
}

/** Clears a timer that is put aside, so that it does not keep a closed connection alive. */
export function forgetIdleTimer(connection: object): void {
  const socket = connection as TimedSocket;
  if (socket[ASIDE] === undefined) return;
  clearTimeout(socket[ASIDE]);
  socket[ASIDE] = undefined;
}
