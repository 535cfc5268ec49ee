/** Reads the client of a `Request` from the second argument of `app.fetch`, in the formats of the supported hosts. */

/** The client of a request. */
export interface Peer {
  address: string | undefined;
  port: number | undefined;
  encrypted: boolean;
}

/** The request's own members; srvx sets the client's address on it. */
interface Source {
  url: string;
  ip?: unknown;
}

/** The second argument in the formats of Ristretto, Deno, Bun, and adapters that pass a request of Node. */
interface Info {
  remoteAddress?: unknown;
  remotePort?: unknown;
  encrypted?: unknown;
  remoteAddr?: { hostname?: unknown; port?: unknown };
  requestIP?: (request: unknown) => { address?: unknown; port?: unknown } | null;
  incoming?: { socket?: { remoteAddress?: unknown; remotePort?: unknown; encrypted?: unknown } };
}

/**
 * Returns the client of a request. Unknown members are undefined.
 * @param info the second argument, as passed by the host
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
