/** Reads the stream properties of a request, for comparisons. */
import type { IncomingMessage } from 'node:http';

const PROPERTIES = [
  'closed',
  'complete',
  'destroyed',
  'errored',
  'readable',
  'readableAborted',
  'readableDidRead',
  'readableEnded',
  'readableLength',
] as const;

export type RequestState = Record<(typeof PROPERTIES)[number], unknown>;

export function stateOf(req: IncomingMessage): RequestState {
  return Object.fromEntries(PROPERTIES.map(name => [name, req[name]])) as RequestState;
}
