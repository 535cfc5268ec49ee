/**
 * The HTTP client of the scenarios. It runs in the harness, outside of the process whose modules are patched, and
 * returns answers in which what the two sides may never have in common is named instead of shown.
 */
import http from 'node:http';

/** Where the stack of an error begins, in plain text and in the page of the default error handler. */
const STACK = /(?:<br>(?: |&nbsp;)*|\n\s+)at [^]*?(?=<\/pre>|$)/;

/**
 * @typedef {{ port: number, method?: string, path?: string, headers?: Record<string, string | string[]>,
 *   body?: string, encoding?: BufferEncoding, timeout?: number }} Wanted
 * @typedef {{ status: number, reason: string, headers: Record<string, string | string[]>, rawHeaders: string[],
 *   trailers: Record<string, string | undefined>, body: string }} Answer
 */

/** The value of a header field without what is each side's own. */
function neutral(/** @type {string} */ name, /** @type {string} */ value, /** @type {boolean} */ hasStack) {
  const field = name.toLowerCase();
  if (field === 'x-powered-by' && /^(?:Express|Ristretto)$/.test(value)) return '<framework>';
  if (field === 'date' && !Number.isNaN(Date.parse(value))) return '<date>';
  if (hasStack && (field === 'content-length' || field === 'etag')) return '<of a stack>';
  return value;
}

/** Sends a request; the body is text, or in base64 when `encoding` says so. @returns {Promise<Answer>} */
export function request(/** @type {Wanted} */ wanted) {
  const { port, method = 'GET', path = '/', headers = {}, body, encoding = 'utf8', timeout = 20 } = wanted;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      host: '127.0.0.1',
      port,
      method,
      path,
      // Without a port, which differs from side to side.
      headers: { Host: 'localhost', ...headers },
      agent: false,
      timeout: timeout * 1000,
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`no answer to ${method} ${path} in ${timeout} s`)),
    );
    outgoing.on('error', reject);
    outgoing.on('response', incoming => {
      /** @type {Buffer[]} */
      const chunks = [];
      incoming.on('data', chunk => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString(encoding);
        const hasStack = encoding === 'utf8' && STACK.test(text);
        const rawHeaders = incoming.rawHeaders.map((value, index, all) =>
          index % 2 === 0 ? value : neutral(all[index - 1], value, hasStack),
        );
        const fields = Object.entries(incoming.headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? neutral(name, value, hasStack) : value,
        ]);
        resolve({
          status: incoming.statusCode ?? 0,
          reason: incoming.statusMessage ?? '',
          headers: Object.fromEntries(fields),
          rawHeaders,
          trailers: incoming.trailers,
          body: hasStack ? text.replace(STACK, ' <stack>') : text,
        });
      });
    });
    outgoing.end(body === undefined ? undefined : Buffer.from(body, 'base64'));
  });
}
