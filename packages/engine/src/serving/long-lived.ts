/**
 * Responses that do not end by themselves, such as event streams, and WebSockets, by server. A server being stopped
 * ends them, because otherwise it would wait for them until the deadline.
 */
import type { ServerResponse } from 'node:http';
import type { StopReport } from '../types/stop';

/**
 * @param report the report of the stop, which the function may extend
 * @returns a promise if it takes longer
 */
type End = (report: StopReport) => unknown;

interface Ends {
  readonly all: Set<End>;
  /** The report of the stop in progress. */
  report: StopReport | undefined;
}

const endsByServer = new WeakMap<object, Ends>();

function endsOf(server: object): Ends {
  let ends = endsByServer.get(server);
  if (ends === undefined) endsByServer.set(server, (ends = { all: new Set(), report: undefined }));
  return ends;
}

/**
 * Registers a function that ends a response. Calls it immediately if the server is being stopped.
 * @returns a function that unregisters it
 */
export function endOnStop(res: ServerResponse, end: () => void): () => void {
  // A virtual socket may not have a server.
  const { server } = res.req.socket as { server?: object };
  return server === undefined ? () => undefined : endWithServer(server, end);
}

/** Does the same for something else that belongs to a server. */
export function endWithServer(server: object, end: End): () => void {
  const { all, report } = endsOf(server);
  if (report !== undefined) {
    end(report);
    return () => undefined;
  }
  all.add(end);
  return () => {
    all.delete(end);
  };
}

/**
 * Ends the registered responses of a server, and any registered until `restart`.
 * @returns a promise that is fulfilled when they have ended
 */
export function endLongLived(server: object, report: StopReport): Promise<unknown> {
  const ends = endsOf(server);
  ends.report = report;
  return Promise.all([...ends.all].map(end => end(report)));
}

/** Lets a server accept such responses again. */
export function restart(server: object): void {
  endsOf(server).report = undefined;
}
