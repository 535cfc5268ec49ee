/**
 * Responses without an end of their own, such as event streams, by server. A server being stopped ends them, because
 * otherwise it would wait for them until the deadline.
 */
import type { ServerResponse } from 'node:http';

interface Ends {
  readonly all: Set<() => void>;
  isStopping: boolean;
}

const endsByServer = new WeakMap<object, Ends>();

function endsOf(server: object): Ends {
  let ends = endsByServer.get(server);
  if (ends === undefined) endsByServer.set(server, (ends = { all: new Set(), isStopping: false }));
  return ends;
}

/**
 * Registers a function that ends a response. Calls it immediately if the server is being stopped.
 * @returns a function that unregisters it
 */
export function endOnStop(res: ServerResponse, end: () => void): () => void {
  // A virtual socket may not have a server.
  const { server } = res.req.socket as { server?: object };
  if (server === undefined) return () => undefined;
  const { all, isStopping } = endsOf(server);
  if (isStopping) {
    end();
    return () => undefined;
  }
  all.add(end);
  return () => {
    all.delete(end);
  };
}

/** Ends the registered responses of a server, and any registered until `restart`. */
export function endLongLived(server: object): void {
  const ends = endsOf(server);
  ends.isStopping = true;
  for (const end of ends.all) end();
}

/** Lets a server accept such responses again. */
export function restart(server: object): void {
  endsOf(server).isStopping = false;
}
