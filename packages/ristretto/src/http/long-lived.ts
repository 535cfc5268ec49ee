/**
 * Responses that end only when somebody ends them, by server: one that is being stopped ends them, since it would wait
 * for them in vain.
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
 * Notes how a response is ended. Where its server is being stopped, it is ended at once.
 * @returns a function that forgets it
 */
export function endOnStop(res: ServerResponse, end: () => void): () => void {
  // A stand-in for a socket may have no server.
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

/** Ends what is noted of a server, and what will be until `restart`. */
export function endLongLived(server: object): void {
  const ends = endsOf(server);
  ends.isStopping = true;
  for (const end of ends.all) end();
}

/** The server may be used again. */
export function restart(server: object): void {
  endsOf(server).isStopping = false;
}
