/** HTTP/2 servers for `app.listen`. */
import * as http2 from 'node:http2';
import type { SecureServerOptions } from 'node:http2';
import type { Server } from 'node:net';
import { MOST_STREAMS } from './guard';

/** Any of these makes a server one of TLS. */
const CREDENTIALS = ['key', 'cert', 'pfx', 'secureContext', 'SNICallback'] as const;

/**
 * Creates a server for an application: of HTTP/2 and HTTP/1.1 over TLS where there are credentials, else of cleartext
 * HTTP/2 with prior knowledge (RFC 9113, section 3.3).
 * @param app the listener for `request`
 * @param options those of `http2.createSecureServer` or `http2.createServer`
 */
export function createServer(app: unknown, options: SecureServerOptions): Server {
  const listener = app as Parameters<typeof http2.createServer>[1];
  const settings = { maxConcurrentStreams: MOST_STREAMS, ...options.settings };
  const isSecure = CREDENTIALS.some(name => (options as Record<string, unknown>)[name] !== undefined);
  return isSecure
    ? http2.createSecureServer({ allowHTTP1: true, ...options, settings }, listener)
    : http2.createServer({ ...options, settings }, listener);
}
