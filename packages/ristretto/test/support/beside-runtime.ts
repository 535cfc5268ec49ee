/** The same handler on a server of the runtime and in an application, for comparing what can be seen of the two. */
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

/** What a scenario comes to on each of the two, both at once. */
export async function onBoth<T>(
  scenario: (make: MakeServer, kind: 'bare' | 'ours') => Promise<T>,
): Promise<{ bare: T; ours: T }> {
  const [bare, ours] = await Promise.all([scenario(kinds.bare, 'bare'), scenario(kinds.ours, 'ours')]);
  return { bare, ours };
}
