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

/** The second argument in the formats of Ristretto, Deno, Bun (also as `server`), and adapters that pass a request of Node. */
interface Info {
  remoteAddress?: unknown;
  remotePort?: unknown;
  encrypted?: unknown;
  remoteAddr?: { hostname?: unknown; port?: unknown } | null;
  requestIP?: (request: unknown) => { address?: unknown; port?: unknown } | null;
  server?: Info;
  incoming?: { socket?: { remoteAddress?: unknown; remotePort?: unknown; encrypted?: unknown } };
}

/**
 * Returns the client of a request. Unknown members are undefined.
 * @param info the second argument, as passed by the host
 * @param report called with what a function of the host throws
 */
export function peerOf(request: Source, info: unknown, report: (error: unknown) => void): Peer {
  const { remoteAddress, remotePort, encrypted } = sourceOrNone(
    request,
    info ?? { remoteAddress: request.ip },
    report,
  );
  return {
    address: typeof remoteAddress === 'string' ? remoteAddress : undefined,
    port: typeof remotePort === 'number' ? remotePort : undefined,
    encrypted: typeof encrypted === 'boolean' ? encrypted : request.url.startsWith('https:'),
  };
}

type Found = Pick<Info, 'remoteAddress' | 'remotePort' | 'encrypted'>;

/** If the host can't report the client, the request does not fail: its address is unknown. */
function sourceOrNone(request: Source, info: Info, report: (error: unknown) => void): Found {
  try {
    return sourceOf(request, info);
  } catch (error) {
    report(error);
    return {};
  }
}

function sourceOf(request: Source, info: Info): Found {
  const server = info.remoteAddress === undefined ? (info.server ?? info) : info;
  if (typeof server.requestIP === 'function') {
    const found = server.requestIP(request);
    return { remoteAddress: found?.address, remotePort: found?.port };
  }
  if (typeof info.remoteAddr === 'object' && info.remoteAddr !== null) {
    return { remoteAddress: info.remoteAddr.hostname, remotePort: info.remoteAddr.port };
  }
  return info.incoming?.socket ?? info;
}
