/** Who sent a `Request`: what the second argument of `app.fetch` says of it, in the forms that hosts give it. */

/** The client of a request. */
export interface Peer {
  address: string | undefined;
  port: number | undefined;
  encrypted: boolean;
}

/** What a request itself says: in srvx, the address of its client. */
interface Source {
  url: string;
  ip?: unknown;
}

/** What hosts give beside a `Request`: ours, Deno's, Bun's, and that of adapters which have a request of Node's. */
interface Info {
  remoteAddress?: unknown;
  remotePort?: unknown;
  encrypted?: unknown;
  remoteAddr?: { hostname?: unknown; port?: unknown };
  requestIP?: (request: unknown) => { address?: unknown; port?: unknown } | null;
  incoming?: { socket?: { remoteAddress?: unknown; remotePort?: unknown; encrypted?: unknown } };
}

/**
 * The client of a request. What is not known is undefined.
 * @param info the second argument that the host gives
 */
export function peerOf(request: Source, info: unknown): Peer {
  const { remoteAddress, remotePort, encrypted } = sourceOf(request, info ?? { remoteAddress: request.ip });
  return {
    address: typeof remoteAddress === 'string' ? remoteAddress : undefined,
    port: typeof remotePort === 'number' ? remotePort : undefined,
    encrypted: typeof encrypted === 'boolean' ? encrypted : request.url.startsWith('https:'),
  };
}

function sourceOf(request: Source, info: Info): Pick<Info, 'remoteAddress' | 'remotePort' | 'encrypted'> {
  if (typeof info.requestIP === 'function') {
    const found = info.requestIP(request);
    return { remoteAddress: found?.address, remotePort: found?.port };
  }
  if (typeof info.remoteAddr === 'object') {
    return { remoteAddress: info.remoteAddr.hostname, remotePort: info.remoteAddr.port };
  }
  return info.incoming?.socket ?? info;
}
