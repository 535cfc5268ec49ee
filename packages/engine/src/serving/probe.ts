/**
 * Finds the application behind a listener for `request` that passes requests on to it, such as the one that Socket.IO
 * installs.
 *
 * The listener gets `OPTIONS *`, which asks nothing of a server (RFC 9110, section 9.3.7). Applications recognize it before
 * any of their handlers run. It looks like a request of Node's HTTP/2 API, because applications examine these anyway:
 * other requests pay nothing.
 */
import { ServerResponse } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';

type Found = (app: object) => void;

class Probe extends Readable {
  readonly method = 'OPTIONS';
  readonly url = '*';
  readonly httpVersion = '2.0';
  readonly httpVersionMajor = 2;
  readonly httpVersionMinor = 0;
  readonly headers = { host: 'localhost' };
  readonly rawHeaders = ['host', 'localhost'];

  constructor(
    readonly socket: Socket,
    readonly found: Found,
  ) {
    super({ read: () => undefined });
    this.push(null);
  }
}

/**
 * Calls a function with the application that a server's listeners pass requests to, if there is one.
 * @param connection a connection of the server
 */
export function findBehind(server: Server, connection: Socket, found: Found): void {
  for (const listener of server.listeners('request') as RequestListener[]) {
    const req = new Probe(connection, found) as unknown as IncomingMessage;
    const res = new ServerResponse(req);
    try {
      listener.call(server, req, res);
    } catch {
      // The listener is not an application, and can't handle such a request.
    }
    // If the listener has sent a response, it is discarded.
    process.nextTick(() => res.emit('close'));
  }
}

/** Reports the application to a request that only asks which one it reaches; returns whether it is such a request. */
export function respondsToProbe(app: object, req: object): boolean {
  if (!(req instanceof Probe)) return false;
  req.found(app);
  return true;
}
