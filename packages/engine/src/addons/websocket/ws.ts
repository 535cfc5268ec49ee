/** Finds the package `ws`, which implements the protocol, and declares the parts of it that are used. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import path = require('node:path');
import { hasOwnSockets } from '../../serving/fetch/socket-hosts';
import { requireWith } from '../../modules';

/** The first version with the options used here, and without CVE-2024-37890. */
const OLDEST = [8, 18] as const;

/** A socket of `ws`. */
export interface WsSocket extends EventEmitter {
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  send(data: unknown, options?: unknown, callback?: (error?: Error) => void): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  ping(): void;
  pong(...args: unknown[]): void;
  pause(): void;
  resume(): void;
}

export type WsSocketClass = new (...args: unknown[]) => WsSocket;

export interface WsServer extends EventEmitter {
  handleUpgrade(
    req: Pick<IncomingMessage, 'method' | 'headers'>,
    stream: Duplex,
    head: Buffer,
    callback: (socket: WsSocket) => void,
  ): void;
}

export interface Ws {
  readonly WebSocket: WsSocketClass;
  readonly WebSocketServer: new (options: object) => WsServer;
}

let loaded: Ws | undefined;

/** The error for a program without the package. @param caller the function that needs it */
export function missingWs(caller = 'app.ws()', cause?: unknown): Error {
  return new Error(`${caller} needs the package ws, which is not installed. Install it: npm install ws`, {
    cause,
  });
}

/** Returns the package; on a host with WebSockets of its own, undefined if it is not installed. */
export function moduleWsIfNeeded(caller: string): Ws | undefined {
  if (!hasOwnSockets()) return moduleWs(caller);
  try {
    return moduleWs(caller);
  } catch {
    return undefined;
  }
}

/**
 * Returns the package.
 * @param caller the function that needs it
 * @throws Error if it is not installed or too old
 */
export function moduleWs(caller: string): Ws {
  if (loaded !== undefined) return loaded;
  let load;
  try {
    load = requireWith('ws', isRecent);
  } catch (cause) {
    throw missingWs(caller, cause);
  }
  if (!isRecent(load)) {
    throw new Error(
      `${caller} needs ws ${OLDEST.join('.')} or newer, and ${versionOf(load)} is installed: npm install ws@latest`,
    );
  }
  // Loads the file, because on Bun, the name `ws` leads to Bun's own implementation, which writes the response itself.
  return (loaded = load(path.join(path.dirname(load.resolve('ws/package.json')), 'index.js')) as Ws);
}

function versionOf(load: NodeJS.Require): string {
  return (load('ws/package.json') as { version: string }).version;
}

/** npm may have hoisted an older version, installed for another package, next to this one. */
function isRecent(load: NodeJS.Require): boolean {
  const [major = 0, minor = 0] = versionOf(load).split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}
