/**
 * Loopback collectors: HTTP servers in the harness to which agents under test send what they recorded. They run here,
 * outside the instrumented process, so that agents do not record their own reports.
 */
import http from 'node:http';
import zlib from 'node:zlib';

/** @typedef {{ method: string, path: string, headers: http.IncomingHttpHeaders, body: string }} Report */
/** @typedef {Record<string, { status?: number, headers?: Record<string, string>, body?: string }>} Replies */

/** Returns the decompressed body of a report. */
function inflated(/** @type {Buffer} */ body, /** @type {string | undefined} */ encoding) {
  if (encoding === 'gzip') return zlib.gunzipSync(body);
  if (encoding === 'deflate') return zlib.inflateSync(body);
  return body;
}

/** All collectors of one scenario. */
export class Collectors {
  /** @type {Map<number, { server: http.Server, reports: Report[] }>} */
  #open = new Map();

  /** Starts a collector with responses by path (without query); other paths get 200 and `{}`. Returns its port. */
  start(/** @type {Replies} */ replies = {}) {
    /** @type {Report[]} */
    const reports = [];
    const server = http.createServer((req, res) => {
      /** @type {Buffer[]} */
      const chunks = [];
      req.on('data', chunk => chunks.push(chunk));
      req.on('end', () => {
        const { method = '', url: path = '', headers } = req;
        const body = inflated(Buffer.concat(chunks), headers['content-encoding']);
        reports.push({ method, path, headers, body: body.toString('base64') });
        const reply = replies[path.split('?')[0] ?? ''] ?? {};
        res.writeHead(reply.status ?? 200, { 'Content-Type': 'application/json', ...reply.headers });
        res.end(reply.body ?? '{}');
      });
    });
    return new Promise(resolve => {
      server.listen(0, '127.0.0.1', () => {
        const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
        this.#open.set(port, { server, reports });
        resolve(port);
      });
    });
  }

  /** Returns the reports received since the last call. */
  take(/** @type {number} */ port) {
    return this.#open.get(port)?.reports.splice(0) ?? [];
  }

  /** Closes all collectors. */
  close() {
    for (const { server } of this.#open.values()) {
      server.close();
      server.closeAllConnections();
    }
  }
}
