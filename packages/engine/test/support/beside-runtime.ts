/** The same handler on a `node:http` server and in an application, to compare their observable behavior. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import web from 'ristretto';

export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

type MakeServer = (handler: Handler, options?: ServerOptions) => Server;

export const kinds: Record<'bare' | 'ours', MakeServer> = {
  bare: (handler, options = {}) => createServer(options, handler),
  ours: (handler, options = {}) =>
    createServer(
      options,
      web()
        .disable('x-powered-by')
        .use(handler as never),
    ),
};

/** Runs a scenario on both servers concurrently and returns both results. */
export async function onBoth<T>(
  scenario: (make: MakeServer, kind: 'bare' | 'ours') => Promise<T>,
): Promise<{ bare: T; ours: T }> {
  const [bare, ours] = await Promise.all([scenario(kinds.bare, 'bare'), scenario(kinds.ours, 'ours')]);
  return { bare, ours };
}
