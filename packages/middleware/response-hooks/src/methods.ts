/** What a response has and loses while its hooks run: its own functions, and `writableEnded`. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Callback, Content } from './hook';

/** The key of the first interceptor of a response. Shared with other copies of this package and with Ristretto. */
export const INTERCEPTOR: unique symbol = Symbol.for('ristretto.responseHook') as never;

/** The part of an interceptor that says whether it has been passed a complete body. */
interface Passed {
  isEnded: boolean;
  above: Passed | undefined;
}

export type Method = (this: ServerResponse, ...args: unknown[]) => unknown;
export type Methods = Record<'writeHead' | 'write' | 'end', Method>;

/** The inherited functions of a recent response: those of most others are the same. */
let inheritedMethods: Methods | undefined;

/** Returns the functions that a response has. */
export function methodsOf(res: ServerResponse): Methods {
  const { writeHead, write, end } = res as unknown as Methods;
  const kept = inheritedMethods;
  if (kept?.end === end && kept.write === write && kept.writeHead === writeHead) return kept;
  const methods = { writeHead, write, end };
  // Methods of the response itself may refer to it, and caching them would keep it in memory.
  const isOwn = Object.hasOwn(res, 'writeHead') || Object.hasOwn(res, 'write') || Object.hasOwn(res, 'end');
  if (!isOwn) inheritedMethods = methods;
  return methods;
}

interface Receiver {
  receive(name: keyof Methods, args: unknown[]): unknown;
}

type Received = ServerResponse & { [INTERCEPTOR]: Receiver };

/** The functions of the first interceptor of a response. Further ones, which are rare, need closures. */
export const sharedMethods: Methods = {
  writeHead(...args) {
    return (this as Received)[INTERCEPTOR].receive('writeHead', args);
  },
  write(...args) {
    return (this as Received)[INTERCEPTOR].receive('write', args);
  },
  end(...args) {
    return (this as Received)[INTERCEPTOR].receive('end', args);
  },
};

export function methodsFor(interceptor: Receiver): Methods {
  return {
    writeHead: (...args) => interceptor.receive('writeHead', args),
    write: (...args) => interceptor.receive('write', args),
    end: (...args) => interceptor.receive('end', args),
  };
}

/** A response whose body has been passed but not sent: code that has responded must see that. */
const writableEnded: PropertyDescriptor = {
  configurable: true,
  get(this: ServerResponse): boolean {
    let at = (this as { [INTERCEPTOR]?: Passed })[INTERCEPTOR];
    while (at?.isEnded === false) at = at.above;
    return at !== undefined || inherited(this, 'writableEnded');
  },
};

/** Returns what a response says itself, without the members that it has while hooks run. */
export function inherited(res: ServerResponse, name: 'headersSent' | 'writableEnded'): boolean {
  return Reflect.get(Object.getPrototypeOf(res) as object, name, res) as boolean;
}

export function mask(res: ServerResponse): void {
  if (!Object.hasOwn(res, 'writableEnded')) Object.defineProperty(res, 'writableEnded', writableEnded);
}

/** Sends a complete body with the `end` that the response had before. */
export function endWith(
  res: ServerResponse,
  body: Content,
  { end, args, callback }: { end: Method; args: unknown[]; callback: Callback | undefined },
  isChanged: boolean,
): void {
  if (!isChanged) {
    end.apply(res, args);
  } else {
    if (callback !== undefined) res.once('finish', callback);
    end.call(res, body);
  }
}

/** Destroys a response, and closes its connection when the responses in front of it have been sent. */
export function destroyInTurn(res: ServerResponse, error?: Error): void {
  // Node 24 and later would leave the connection open
  if (res.socket === null) res.once('socket', (socket: Socket) => socket.destroy());
  res.destroy(error);
}
