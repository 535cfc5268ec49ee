/** Creates the HTTP/2 servers of `app.listen`. */
import * as http2 from 'node:http2';
import type { SecureServerOptions } from 'node:http2';
import type { Server } from 'node:net';
import { MOST_STREAMS } from './guard';

/** With any of these options, the server uses TLS. */
const CREDENTIALS = ['key', 'cert', 'pfx', 'secureContext', 'SNICallback'] as const;

/**
 * Creates a server for an application: HTTP/2 and HTTP/1.1 over TLS if there are credentials, otherwise cleartext
 * HTTP/2 with prior knowledge (RFC 9113, section 3.3).
 * @param app the listener for `request`
 * @param options the options of `http2.createSecureServer` or `http2.createServer`
 */
export function createServer(app: unknown, options: SecureServerOptions): Server {
  const listener = app as Parameters<typeof http2.createServer>[1];
  const settings = { maxConcurrentStreams: MOST_STREAMS, ...options.settings };
  const isSecure = CREDENTIALS.some(name => (options as Record<string, unknown>)[name] !== undefined);
  return isSecure
    ? http2.createSecureServer({ allowHTTP1: true, ...options, settings }, listener)
    : http2.createServer({ ...options, settings }, listener);
}
